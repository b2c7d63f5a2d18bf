//! Runs, state by state.

use crate::StateSets;

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<S> {
    /// A set of one state.
    pub state: S,
    /// What led here, where that matters for fairness: an agent, or a step where the sets know their steps by number.
    pub by: Option<usize>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<S> {
    /// Its states; at least one.
    pub steps: Vec<Step<S>>,
    /// After the last one it goes on with the one at this position, for ever.
    pub back: Option<usize>,
}

impl<S> Path<S> {
    /// The run of one state.
    pub fn at(state: S) -> Self {
        Path { steps: vec![Step { state, by: None }], back: None }
    }

    /// Goes on with another run, which begins in the last state of this one.
    pub(crate) fn join(&mut self, more: Self) {
        let last = self.steps.len() - 1;
        self.back = more.back.map(|back| back + last);
        self.steps.extend(more.steps.into_iter().skip(1));
    }
}

/// A shortest run from `start`, one state, to a state of `target`, with all states but the last in `region`.
pub(crate) fn path_within<S: StateSets>(
    sets: &mut S,
    start: &S::Set,
    target: &S::Set,
    region: &S::Set,
) -> Result<Option<Path<S::Set>>, S::Error> {
    // How far it is to the target: each layer one step further.
    let mut layers = vec![target.clone()];
    let mut seen = target.clone();
    while !sets.meet(start, &layers[layers.len() - 1])? {
        let leading = sets.pre(&layers[layers.len() - 1])?;
        let leading = sets.and(&leading, region)?;
        let new = sets.minus(&leading, &seen)?;
        if sets.is_empty(&new)? {
            return Ok(None);
        }
        seen = sets.or(&seen, &new)?;
        layers.push(new);
    }
    let mut path = Path::at(start.clone());
    layers.pop();
    let mut at = start.clone();
    while let Some(nearer) = layers.pop() {
        let next = sets.post(&at)?;
        let next = sets.and(&next, &nearer)?;
        let Some(state) = sets.pick(&next)? else { return Ok(None) };
        path.steps.push(Step { state: state.clone(), by: None });
        at = state;
    }
    Ok(Some(path))
}
