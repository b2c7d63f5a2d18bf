//! Which states have a fair run, and one such run.
//!
//! The states from which a set need never be left on a fair run are found by the fixpoint of Emerson and Lei ("Modalities
//! for model checking", 1985), in the form that Kesten, Pnueli and Raviv gave it for strong fairness ("Algorithmic
//! verification of linear temporal logic specifications", 1998): from a set, states are taken away that have no
//! successor in it, that reach no state where a weak constraint is met, or that ask for something which a strong
//! constraint then demands and which cannot be reached. A terminal strongly connected component of what is left meets
//! all constraints, and no fair component loses a state.

use crate::path::{Path, path_within};
use crate::{StateSets, Step};

/// What a run must do again and again to count.
#[derive(Clone, Debug)]
pub enum Constraint<S> {
    /// Visit this set.
    Infinitely(S),
    /// Have the agent disabled, or execute it.
    Weak(usize),
    /// Execute the agent, unless it is disabled from some time on.
    Strong(usize),
    /// Execute the agent.
    Taken(usize),
}

/// States within `set` from which a fair run stays in it, except some that only lead to such states.
pub(crate) fn feasible<S: StateSets>(
    sets: &mut S,
    constraints: &[Constraint<S::Set>],
    set: &S::Set,
) -> Result<S::Set, S::Error> {
    let mut left = set.clone();
    loop {
        let before = left.clone();
        for constraint in constraints {
            left = match constraint {
                Constraint::Strong(agent) => {
                    let executed = executing(sets, *agent, &left)?;
                    let reaching = reach_within(sets, &left, &executed)?;
                    let enabled = enabled(sets, *agent)?;
                    let quiet = sets.minus(&left, &enabled)?;
                    sets.or(&quiet, &reaching)?
                }
                other => {
                    let met = met(sets, other, &left)?;
                    reach_within(sets, &left, &met)?
                }
            };
        }
        left = trim(sets, left)?;
        if sets.same(&left, &before)? {
            return Ok(left);
        }
    }
}

/// Takes away states without successors in the set.
fn trim<S: StateSets>(sets: &mut S, mut set: S::Set) -> Result<S::Set, S::Error> {
    loop {
        let leading = sets.pre(&set)?;
        let smaller = sets.and(&set, &leading)?;
        if sets.same(&smaller, &set)? {
            return Ok(set);
        }
        set = smaller;
    }
}

/// The states in `region` that reach `target` without leaving it.
pub(crate) fn reach_within<S: StateSets>(
    sets: &mut S,
    region: &S::Set,
    target: &S::Set,
) -> Result<S::Set, S::Error> {
    let mut found = sets.and(region, target)?;
    let mut new = found.clone();
    while !sets.is_empty(&new)? {
        let leading = sets.pre(&new)?;
        let leading = sets.and(region, &leading)?;
        new = sets.minus(&leading, &found)?;
        found = sets.or(&found, &new)?;
    }
    Ok(found)
}

fn enabled<S: StateSets>(sets: &mut S, agent: usize) -> Result<S::Set, S::Error> {
    let universe = sets.universe()?;
    sets.pre_by(agent, &universe)
}

/// The states in a set from which a step of the agent stays in it.
fn executing<S: StateSets>(sets: &mut S, agent: usize, set: &S::Set) -> Result<S::Set, S::Error> {
    let leading = sets.pre_by(agent, set)?;
    sets.and(set, &leading)
}

/// The states in a set where a constraint other than a strong one is met, or from which a step that meets it stays in it.
fn met<S: StateSets>(
    sets: &mut S,
    constraint: &Constraint<S::Set>,
    set: &S::Set,
) -> Result<S::Set, S::Error> {
    match constraint {
        Constraint::Infinitely(goal) => sets.and(set, goal),
        Constraint::Weak(agent) => {
            let enabled = enabled(sets, *agent)?;
            let quiet = sets.minus(set, &enabled)?;
            let executing = executing(sets, *agent, set)?;
            sets.or(&quiet, &executing)
        }
        Constraint::Strong(agent) | Constraint::Taken(agent) => executing(sets, *agent, set),
    }
}

/// A fair run from `start`, one state, that ends in a loop and stays in `region`, which `core` is the feasible part of.
/// Nothing if there is none.
pub(crate) fn lasso<S: StateSets>(
    sets: &mut S,
    constraints: &[Constraint<S::Set>],
    start: &S::Set,
    region: &S::Set,
    core: &S::Set,
) -> Result<Option<Path<S::Set>>, S::Error> {
    let Some(mut path) = path_within(sets, start, core, region)? else { return Ok(None) };
    // Each attempt that does not close goes on in a component further down.
    loop {
        let turn = path.steps.len() - 1;
        for constraint in constraints {
            if !visit(sets, constraint, core, &mut path)? {
                return Ok(None);
            }
        }
        let (head, last) = (path.steps[turn].state.clone(), path.steps[path.steps.len() - 1].state.clone());
        // Back to the head by at least one step.
        let next = sets.post(&last)?;
        let next = sets.and(&next, core)?;
        let homing = reach_within(sets, core, &head)?;
        let homeward = sets.and(&next, &homing)?;
        match sets.pick(&homeward)? {
            Some(first) => {
                let Some(home) = path_within(sets, &first, &head, core)? else { return Ok(None) };
                path.steps.extend(home.steps);
                path.steps.pop();
                path.back = Some(turn);
                return Ok(Some(path));
            }
            None => {
                let Some(first) = sets.pick(&next)? else { return Ok(None) };
                path.steps.push(Step { state: first, by: None });
            }
        }
    }
}

/// Goes on within `core` until a constraint is met; a strong one only if its agent can be executed at all.
fn visit<S: StateSets>(
    sets: &mut S,
    constraint: &Constraint<S::Set>,
    core: &S::Set,
    path: &mut Path<S::Set>,
) -> Result<bool, S::Error> {
    let at = path.steps[path.steps.len() - 1].state.clone();
    let goal = met(sets, constraint, core)?;
    let Some(way) = path_within(sets, &at, &goal, core)? else {
        return Ok(matches!(constraint, Constraint::Strong(_)));
    };
    path.join(way);
    let (Constraint::Weak(agent) | Constraint::Strong(agent) | Constraint::Taken(agent)) = constraint else {
        return Ok(true);
    };
    let here = path.steps[path.steps.len() - 1].state.clone();
    let executing = executing(sets, *agent, core)?;
    if sets.meet(&here, &executing)? {
        let next = sets.post(&here)?;
        let mut candidates = sets.and(&next, core)?;
        while let Some(candidate) = sets.pick(&candidates)? {
            let leading = sets.pre_by(*agent, &candidate)?;
            if sets.meet(&here, &leading)? {
                path.steps.push(Step { state: candidate, by: Some(*agent) });
                return Ok(true);
            }
            candidates = sets.minus(&candidates, &candidate)?;
        }
    }
    Ok(true)
}
