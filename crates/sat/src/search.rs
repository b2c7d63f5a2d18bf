//! Everything that is asked of one model, decided with SAT: by IC3, by bounded search or by k-induction.
//!
//! All checks that single states decide are asked about together: is a state reachable in which one of them fails? Whatever a
//! run shows is decided, and the others are asked about again. Covers are among them: what is "wrong" in them is that
//! they are reached. Every run is executed by the reference interpreter before it counts.
//!
//! k-induction (Sheeran, Singh and Stalmarck, 2000): if no run of k steps ends in something wrong, and no run of k + 1 steps
//! *from any state* does that goes only through states where nothing is wrong, no two of them equal, then nothing wrong is
//! reachable. Under a group no two of them need be in one orbit, as the shortest way to an orbit visits none twice; of
//! that, what the generators say is demanded.

use std::ops::ControlFlow;

use burnside_encode::Refusal;
use burnside_model::code::Cell;
use burnside_model::findings::{Checks, Findings, Known, SatFigures, Witness};
use burnside_model::system::{Machine, PropertyKind, System as _};
use burnside_model::{Deadline, Limit, Limits, Model};
use burnside_symmetry::{Action, Permutation};

use crate::circuit::Ref;
use crate::cube::Images;
use crate::fixed::{Reached, reach, wrong};
use crate::ic3::Progress;
use crate::solver::{Lit, TimeUp};
use crate::system::{Question, State, System, closed_starts};
use crate::trace;
use crate::unrolling::{Unrolling, representative};

/// How it is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// IC3, or bounded search if there is a bound.
    #[default]
    Auto,
    /// IC3 with orbit clauses.
    Ic3,
    /// Runs of 0, 1, 2, ... steps.
    Bounded,
    /// k-induction for k = 0, 1, 2, ...
    Induction,
}

/// What is asked.
pub struct Task<'t> {
    /// The group, verified.
    pub action: Option<&'t Action>,
    /// How code is understood.
    pub question: Question,
    /// How it is decided.
    pub method: Method,
    /// Whether runs end in representatives.
    pub representatives: bool,
    pub limits: &'t Limits,
}

/// Decides the properties of a model.
pub fn search(model: &Model, task: &Task<'_>, told: &mut dyn FnMut(Progress)) -> Result<Findings, Refusal> {
    let deadline = task.limits.deadline();
    let checks = Checks::new(model, task.question.deadlock);
    let mut system = System::new(model, task.question)?;
    let targets = system.targets(&checks, task.question.deadlock)?;
    let mut known = Decided::new(model, &checks, task);
    known.start(&system);
    let mut asked = targets;
    asked.retain(|(check, _)| !known.is_decided(*check));
    let mut ways = Ways::new(&mut system, task, deadline);
    let limit = loop {
        if known.errors >= task.limits.max_errors {
            break Some(Limit::MaxErrors);
        }
        if asked.is_empty() {
            break None;
        }
        let bad = asked.iter().map(|(_, target)| *target).collect();
        ways.system.bad = ways.system.circuit.any(bad);
        match ways.reach(told)? {
            Answer::Never => {
                known.holds(asked.iter().map(|(check, _)| *check));
                break None;
            }
            Answer::Stopped(limit) => break Some(limit),
            Answer::Run(path) => {
                let before = asked.len();
                known.run(&path);
                asked.retain(|(check, _)| !known.is_decided(*check));
                if asked.len() == before {
                    return Err(wrong("nothing that was asked for is at the end of a run"));
                }
            }
        }
    };
    Ok(known.findings(limit, ways.figures))
}

/// What is known of each check.
struct Decided<'t> {
    model: &'t Model,
    checks: &'t Checks,
    question: Question,
    witnesses: Vec<Vec<Witness>>,
    /// Holds, or for a cover, was reached.
    holds: Vec<bool>,
    /// For a cover: is never reached.
    never: Vec<bool>,
    errors: u64,
}

impl<'t> Decided<'t> {
    fn new(model: &'t Model, checks: &'t Checks, task: &Task<'_>) -> Self {
        let (no, witnesses) = (vec![false; checks.list.len()], vec![Vec::new(); checks.list.len()]);
        Decided { model, checks, question: task.question, witnesses, holds: no.clone(), never: no, errors: 0 }
    }

    fn is_decided(&self, check: usize) -> bool {
        self.holds[check] || self.never[check] || !self.witnesses[check].is_empty()
    }

    /// What start states themselves do.
    fn start(&mut self, system: &System<'_>) {
        let Question { semantics, deadlock } = self.question;
        let mut machine = Machine::new(self.model, semantics);
        // The machine has no deadline.
        let _ = machine.initial(&mut |_| ControlFlow::Continue(()));
        let covered = machine.side_effects().covered;
        for (check, reached) in self.checks.list.iter().zip(&mut self.holds) {
            let stated = check.index.filter(|_| check.kind == PropertyKind::Cover);
            *reached |= stated.is_some_and(|index| covered[index] > 0);
        }
        let failed =
            if system.failed_start { trace::failed_start(self.model, semantics, deadlock) } else { None };
        if let Some((check, witness)) = failed {
            self.witnesses[check].push(witness);
            self.errors += 1;
        }
    }

    fn run(&mut self, path: &[Vec<Cell>]) {
        let Question { semantics, deadlock } = self.question;
        let Some(last) = path.last() else { return };
        for (check, ending) in trace::reached(self.model, self.checks, last, semantics, deadlock) {
            match ending {
                _ if self.is_decided(check) => {}
                None => self.holds[check] = true,
                Some(ending) => {
                    self.witnesses[check].push(Witness { path: path.to_vec(), ending });
                    self.errors += 1;
                }
            }
        }
    }

    /// Nothing that was asked about is reachable.
    fn holds(&mut self, checks: impl Iterator<Item = usize>) {
        for check in checks {
            let cover = self.checks.list[check].kind == PropertyKind::Cover;
            *if cover { &mut self.never[check] } else { &mut self.holds[check] } = true;
        }
    }

    fn findings(self, limit: Option<Limit>, figures: SatFigures) -> Findings {
        let formulas = self.model.properties.iter().any(|property| property.kind.logic().is_some());
        let mut properties = Vec::new();
        for (number, (check, witnesses)) in self.checks.list.iter().zip(self.witnesses).enumerate() {
            let mut result = check.conclude(witnesses, 0, false, false);
            result.covered = None;
            match check.kind {
                _ if result.known != Known::Unknown => {}
                PropertyKind::NoFault if self.holds[number] && formulas => {
                    result.reason =
                        Some("errors in the conditions of formulas are not looked for".to_owned());
                }
                _ if self.holds[number] => result.known = Known::Holds,
                PropertyKind::Cover if self.never[number] => result.known = Known::Violated(Vec::new()),
                PropertyKind::Liveness | PropertyKind::Ctl | PropertyKind::Ltl => {
                    result.reason = Some("`--engine sat` decides what single states show".to_owned());
                }
                _ => {}
            }
            properties.push(result);
        }
        Findings { properties, limit, complete: limit.is_none(), sat: Some(figures), ..Findings::default() }
    }
}

/// What comes of one question.
enum Answer {
    /// Nothing wrong is reachable.
    Never,
    /// Something is, by this run.
    Run(Vec<Vec<Cell>>),
    Stopped(Limit),
}

/// The three ways, with what they keep from one question to the next.
struct Ways<'s, 'm, 't> {
    system: &'s mut System<'m>,
    task: &'s Task<'t>,
    deadline: Deadline,
    figures: SatFigures,
    /// How many steps runs have.
    steps: usize,
    images: Images,
    /// Where a state is a representative, if that is wanted.
    last: Option<Ref>,
    starts: Vec<(Vec<Cell>, Permutation)>,
    /// Runs from a start state, with the literal that says so.
    bounded: Option<(Unrolling, Lit)>,
    /// Runs from any state.
    anywhere: Option<Unrolling>,
}

impl<'s, 'm, 't> Ways<'s, 'm, 't> {
    fn new(system: &'s mut System<'m>, task: &'s Task<'t>, deadline: Deadline) -> Self {
        let images = Images::new(system, task.action);
        let last = task.representatives.then(|| representative(system, &images));
        let starts = closed_starts(&system.starts, task.action.filter(|_| task.representatives));
        let figures = SatFigures::default();
        Ways {
            system,
            task,
            deadline,
            figures,
            steps: 0,
            images,
            last,
            starts,
            bounded: None,
            anywhere: None,
        }
    }

    fn reach(&mut self, told: &mut dyn FnMut(Progress)) -> Result<Answer, Refusal> {
        let bounded = self.task.limits.bound.is_some();
        match self.task.method {
            Method::Ic3 => self.ic3(told),
            Method::Auto if !bounded => self.ic3(told),
            Method::Auto | Method::Bounded => self.unroll(false, told),
            Method::Induction => self.unroll(true, told),
        }
    }

    fn ic3(&mut self, told: &mut dyn FnMut(Progress)) -> Result<Answer, Refusal> {
        let semantics = self.task.question.semantics;
        let (reached, progress) = reach(self.system, self.task.action, semantics, self.deadline, told)?;
        self.figures.queries += progress.queries;
        self.figures.frames = self.figures.frames.max(progress.frames as u64);
        Ok(match reached {
            Reached::Run(path) => Answer::Run(path),
            Reached::Unknown => Answer::Stopped(Limit::Time),
            Reached::Never { cubes, orbits } => {
                self.figures.clauses = cubes.len() as u64;
                self.figures.orbits = orbits.len() as u64;
                Answer::Never
            }
        })
    }

    /// Longer and longer runs, until one ends in something wrong, or induction succeeds.
    fn unroll(&mut self, inductive: bool, told: &mut dyn FnMut(Progress)) -> Result<Answer, Refusal> {
        let bound = self.task.limits.bound.map_or(usize::MAX, |bound| bound as usize);
        loop {
            self.figures.steps = Some(self.steps as u64);
            match self.run_from_start() {
                Ok(Some(path)) => return self.confirmed(path).map(Answer::Run),
                Ok(None) => {}
                Err(TimeUp) => return Ok(Answer::Stopped(Limit::Time)),
            }
            let proved = inductive
                && match self.is_run_anywhere() {
                    Ok(possible) => !possible,
                    Err(TimeUp) => return Ok(Answer::Stopped(Limit::Time)),
                };
            self.figures.queries = self.queries();
            if proved {
                return Ok(Answer::Never);
            }
            if self.steps >= bound {
                return Ok(Answer::Stopped(Limit::Bound));
            }
            self.steps += 1;
            told(Progress { frames: self.steps, clauses: 0, queries: self.figures.queries });
        }
    }

    fn queries(&self) -> u64 {
        let from_start = self.bounded.as_ref().map_or(0, |(runs, _)| runs.queries());
        from_start + self.anywhere.as_ref().map_or(0, Unrolling::queries)
    }

    /// A run from a start state that ends in something wrong after so many steps.
    fn run_from_start(&mut self) -> Result<Option<Vec<Vec<Cell>>>, TimeUp> {
        let (system, steps) = (&*self.system, self.steps);
        let starts: Vec<State> = self.starts.iter().map(|(cells, _)| system.state(cells)).collect();
        let (runs, started) = self.bounded.get_or_insert_with(|| {
            let mut runs = Unrolling::new(system, self.deadline);
            let started = runs.starts_in(system, &starts);
            (runs, started)
        });
        let mut assumptions = vec![*started, runs.function(system, steps, system.bad)];
        assumptions.extend(self.last.map(|last| runs.function(system, steps, last)));
        let found = runs.is_possible(steps, &assumptions)?;
        Ok(found.then(|| runs.run(system, steps)))
    }

    /// Whether there is a run from any state with one more step that goes wrong only in its end, and visits no state twice.
    fn is_run_anywhere(&mut self) -> Result<bool, TimeUp> {
        let (system, steps) = (&*self.system, self.steps + 1);
        let runs = self.anywhere.get_or_insert_with(|| Unrolling::new(system, self.deadline));
        let mut assumptions = vec![runs.function(system, steps, system.bad)];
        for before in 0..steps {
            assumptions.push(runs.function(system, before, system.bad ^ 1));
            runs.tell_apart(system, &self.images, before, steps);
        }
        assumptions.extend(self.last.map(|last| runs.function(system, steps, last)));
        runs.is_possible(steps, &assumptions)
    }

    /// The run of the model behind a run that may begin in an image of a start state.
    fn confirmed(&self, path: Vec<Vec<Cell>>) -> Result<Vec<Vec<Cell>>, Refusal> {
        let start = self.starts.iter().find(|(cells, _)| Some(cells) == path.first());
        let (_, permutation) = start.ok_or_else(|| wrong("a run does not begin in a start state"))?;
        let path = match self.task.action.filter(|_| self.task.representatives) {
            Some(action) => trace::led_back(path, action, permutation),
            None => path,
        };
        if trace::is_run(self.system, &path, self.task.question.semantics) {
            Ok(path)
        } else {
            Err(wrong("a run that was found is none"))
        }
    }
}
