//! Random runs of a model, by the reference interpreter.
//!
//! Each run begins in a random start state and takes a random step until nothing can happen, something goes wrong, a wanted state
//! is reached or the run is long enough. The same seed gives the same runs. Nothing is proved by this: a run that ends well says
//! nothing of the others.

use std::ops::ControlFlow;

use burnside_lang::source::Source;
use burnside_model::code::Cell;
use burnside_model::system::{Machine, Outcome, PropertyKind, Step, System, TimeUp};
use burnside_model::{Deadline, Model, Trace, TraceStep};
use burnside_report::TraceReport;

use crate::{DeadlockMode, Failure, Options, load};

/// How a step is chosen among those that are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choose {
    /// Every enabled rule instance is as likely as another.
    #[default]
    Instance,
    /// First a process, which is the first parameter of a rule, then one of its rule instances.
    Process,
}

/// What random runs are wanted.
#[derive(Clone, Debug)]
pub struct Walks {
    /// The seed: the same one gives the same runs.
    pub seed: u64,
    /// How many runs.
    pub runs: u64,
    /// The most steps of a run.
    pub depth: u64,
    /// How steps are chosen.
    pub choose: Choose,
    /// A condition in the language of the model: the runs end where it holds.
    pub until: Option<String>,
}

/// How the last run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All runs were made, and nothing was wrong.
    Fine,
    /// The wanted condition holds.
    Reached,
    /// Something is violated: what, in one line.
    Violated(String),
    /// The time was over, or somebody wanted an end.
    Stopped,
}

/// What came of random runs.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How they ended.
    pub end: End,
    /// The last run, under the original names.
    pub trace: TraceReport,
    /// How many runs were made.
    pub runs: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// How often each rule was taken, by name.
    pub taken: Vec<(String, u64)>,
}

/// The name of the property that says what is waited for.
const UNTIL: &str = "until";

/// Random runs of a model.
pub fn simulate(source: &Source, options: &Options, walks: &Walks) -> Result<Simulation, Failure> {
    let with_goal = |condition: &String| {
        let text = format!("{}\ncover \"{UNTIL}\" {condition};\n", source.text());
        Source::new(source.name(), text)
    };
    let source = walks.until.as_ref().map_or_else(|| source.clone(), with_goal);
    let (subject, _) = load(&source, options)?;
    let model = subject.rules("random runs are")?;
    let mut machine = Machine::new(model, options.semantics);
    let deadline = options.limits.deadline();
    machine.set_deadline(deadline);
    let mut walker = Walker {
        model,
        machine,
        options,
        walks,
        deadline,
        rng: Rng(walks.seed),
        taken: vec![0; model.rules.len()],
    };
    Ok(walker.walk())
}

struct Walker<'w> {
    model: &'w Model,
    machine: Machine<'w>,
    options: &'w Options,
    walks: &'w Walks,
    deadline: Deadline,
    rng: Rng,
    taken: Vec<u64>,
}

/// A step that is possible, and the state that it leads to; none if it goes wrong, and how.
type Possible = (u32, Vec<Cell>, Result<Vec<Cell>, String>);

impl Walker<'_> {
    /// Runs until something is found.
    fn walk(&mut self) -> Simulation {
        let (mut runs, mut steps) = (0, 0);
        let (mut end, mut trace) = (End::Fine, Trace::default());
        while runs < self.walks.runs && end == End::Fine {
            runs += 1;
            trace = Trace::default();
            end = self.run(&mut trace).unwrap_or(End::Stopped);
            steps += trace.steps.len().saturating_sub(1) as u64 + u64::from(trace.failing.is_some());
        }
        let names = self.model.rules.iter().map(|rule| rule.name.clone());
        let taken = names.zip(self.taken.iter().copied()).collect();
        Simulation { end, trace: TraceReport::new(self.model, &trace), runs, steps, taken }
    }

    /// One run.
    fn run(&mut self, trace: &mut Trace) -> Result<End, TimeUp> {
        let starts = self.possible(None)?;
        if starts.is_empty() {
            return Ok(End::Violated("there is no start state".to_owned()));
        }
        let (rule, args, outcome) = starts[self.rng.below(starts.len())].clone();
        let mut state = match outcome {
            Ok(state) => state,
            Err(message) => {
                trace.failing = Some((rule, args));
                return Ok(End::Violated(message));
            }
        };
        trace.steps.push(TraceStep { rule, args, state: state.clone() });
        for step in 0..=self.walks.depth {
            if let Some(end) = self.judge(&state)? {
                return Ok(end);
            }
            if step == self.walks.depth || self.deadline.has_passed() {
                break;
            }
            let possible = self.possible(Some(&state))?;
            let moves = possible.iter().any(|(_, _, to)| to.as_ref() != Ok(&state));
            let stuck = match self.options.deadlock {
                DeadlockMode::Off => false,
                DeadlockMode::Stuck => possible.is_empty(),
                DeadlockMode::Stuttering => !moves,
            };
            if stuck {
                return Ok(End::Violated("deadlock: no rule leads to another state".to_owned()));
            }
            let Some((rule, args, outcome)) = self.choose(&possible).cloned() else { break };
            self.taken[rule as usize] += 1;
            match outcome {
                Ok(next) => state = next,
                Err(message) => {
                    trace.failing = Some((rule, args));
                    return Ok(End::Violated(message));
                }
            }
            trace.steps.push(TraceStep { rule, args, state: state.clone() });
        }
        Ok(if self.deadline.has_passed() { End::Stopped } else { End::Fine })
    }

    /// Whether the run ends in this state.
    fn judge(&mut self, state: &[Cell]) -> Result<Option<End>, TimeUp> {
        for (i, property) in self.model.properties.iter().enumerate() {
            let goal =
                property.kind == PropertyKind::Cover && self.walks.until.is_some() && property.name == UNTIL;
            if property.kind != PropertyKind::Invariant && !goal {
                continue;
            }
            match self.machine.holds(i, state)? {
                Err(fault) => return Ok(Some(End::Violated(fault.message))),
                Ok(held) if goal && held > 0 => return Ok(Some(End::Reached)),
                Ok(0) if !goal => {
                    return Ok(Some(End::Violated(format!("invariant \"{}\" does not hold", property.name))));
                }
                Ok(_) => {}
            }
        }
        Ok(None)
    }

    /// The steps that are possible in a state, or the start states.
    fn possible(&mut self, state: Option<&[Cell]>) -> Result<Vec<Possible>, TimeUp> {
        let mut all = Vec::new();
        let mut sink = |step: Step<'_>| {
            let outcome = match step.outcome {
                Outcome::State(state) => Ok(state.to_vec()),
                Outcome::Fault(fault) | Outcome::GuardFault(fault) => Err(fault.message),
                Outcome::Dropped => return ControlFlow::Continue(()),
            };
            all.push((step.rule, step.args.to_vec(), outcome));
            ControlFlow::Continue(())
        };
        match state {
            Some(state) => self.machine.successors(state, &mut sink)?,
            None => self.machine.initial(&mut sink)?,
        }
        Ok(all)
    }

    fn choose<'p>(&mut self, possible: &'p [Possible]) -> Option<&'p Possible> {
        if possible.is_empty() {
            return None;
        }
        if self.walks.choose == Choose::Instance {
            return Some(&possible[self.rng.below(possible.len())]);
        }
        let mut processes: Vec<Option<Cell>> =
            possible.iter().map(|(_, args, _)| args.first().copied()).collect();
        processes.sort_unstable();
        processes.dedup();
        let process = processes[self.rng.below(processes.len())];
        let own: Vec<&Possible> =
            possible.iter().filter(|(_, args, _)| args.first().copied() == process).collect();
        Some(own[self.rng.below(own.len())])
    }
}

/// Splitmix64: small, quick, and the same everywhere.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}
