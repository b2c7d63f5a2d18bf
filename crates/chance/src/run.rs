//! All properties of a model: properties that the same symmetry serves share one chain.

use std::time::{Duration, Instant};

use burnside_model::chance::{Expr, FilterKind, Model, Operator, Path, Property, RewardPath};
use burnside_model::{Deadline, Span};

use crate::build::{Build, build};
use crate::chain::Chain;
use crate::check::{Answer, Checker, Trouble};
use crate::step::{Problem, ProblemKind, problem};
use crate::symmetry::{Canon, Found, Subject};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether numbers are exact fractions.
    pub exact: bool,
    /// How near bounds must be, relative to the value.
    pub precision: f64,
    /// Whether symmetry is used.
    pub reduce: bool,
    /// How many threads explore.
    pub threads: usize,
    /// The most states.
    pub max_states: usize,
    /// When to give up.
    pub deadline: Deadline,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            exact: false,
            precision: 1e-6,
            reduce: true,
            threads: 1,
            max_states: 1 << 31,
            deadline: Deadline::NEVER,
        }
    }
}

/// What was found out about a property.
#[derive(Debug)]
pub struct Outcome {
    /// The answer, or why there is none.
    pub answer: Result<Answer, Box<Problem>>,
    /// The symmetry that was used.
    pub symmetry: Option<Found>,
    /// Why less symmetry was used than the model has.
    pub broken: Vec<String>,
    /// States, or orbits if there is symmetry.
    pub states: usize,
    pub choices: usize,
    pub transitions: usize,
    /// States of the whole model, where the sizes of all orbits were added up.
    pub represented: Option<u128>,
    /// Deadlocks, which have a step to themselves.
    pub deadlocks: usize,
    /// Sweeps of iterations.
    pub sweeps: u64,
    /// Time to find symmetry and build the chain; zero if it was there already.
    pub built: Duration,
    /// Time to check the property.
    pub checked: Duration,
    /// Whether exact numbers were needed to decide a bound, though they were not asked for.
    pub became_exact: bool,
}

/// What a property looks at.
#[derive(Default)]
pub struct Needs<'p> {
    /// Conditions and numbers over states.
    pub atoms: Vec<&'p Expr>,
    /// Reward structures.
    pub rewards: Vec<u32>,
    /// Whether states are counted, so that all of them must be there.
    pub counts: bool,
}

impl<'p> Needs<'p> {
    /// What a property looks at.
    pub fn of(property: &'p Property) -> Needs<'p> {
        let mut needs = Needs::default();
        needs.expr(&property.formula);
        needs.rewards.sort_unstable();
        needs.rewards.dedup();
        needs
    }

    fn expr(&mut self, expr: &'p Expr) {
        if expr.is_plain() {
            if !expr.support().is_empty() {
                self.atoms.push(expr);
            }
            return;
        }
        match expr {
            Expr::Not(e) | Expr::Neg(e) => self.expr(e),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::If(parts) => parts.iter().for_each(|part| self.expr(part)),
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| self.expr(argument)),
            Expr::Nested(operator) => self.operator(operator),
            _ => {}
        }
    }

    fn operator(&mut self, operator: &'p Operator) {
        match operator {
            Operator::Prob { path, .. } | Operator::Branching(_, path, _) => self.path(path),
            Operator::Reward { structure, path, .. } => {
                self.rewards.push(*structure);
                if let RewardPath::Reach(goal) = path {
                    self.expr(goal);
                }
            }
            Operator::Steady { states, .. } => self.expr(states),
            Operator::Filter { kind, value, states, .. } => {
                self.counts |= matches!(
                    kind,
                    FilterKind::Count
                        | FilterKind::Sum
                        | FilterKind::Avg
                        | FilterKind::State
                        | FilterKind::Print
                        | FilterKind::First
                );
                self.expr(value);
                states.iter().for_each(|states| self.expr(states));
            }
        }
    }

    fn path(&mut self, path: &'p Path) {
        match path {
            Path::State(states) => self.expr(states),
            Path::Temporal(_, _, parts) | Path::Join(_, parts) => {
                parts.iter().for_each(|part| self.path(part))
            }
            Path::Not(inner) => self.path(inner),
        }
    }
}

/// A chain that was built.
struct Built {
    key: Vec<Vec<u32>>,
    rewards: Vec<u32>,
    exact: bool,
    chain: Chain,
    represented: Option<u128>,
}

/// Hears what is done, and how many states there are.
pub type Told<'t> = dyn FnMut(&'static str, usize) + 't;

/// Checks properties, one after the other.
pub struct Runner<'m> {
    model: &'m Model,
    options: Options,
    subject: Subject<'m>,
    built: Vec<Built>,
}

impl<'m> Runner<'m> {
    pub fn new(model: &'m Model, options: Options) -> Runner<'m> {
        Runner { model, options, subject: Subject::new(model), built: Vec::new() }
    }

    /// The symmetry that serves a property.
    pub fn symmetry(&mut self, property: &Property) -> (Option<Found>, Vec<String>) {
        let needs = Needs::of(property);
        if !self.options.reduce {
            return (None, Vec::new());
        }
        if needs.counts {
            let why = "the property counts or names single states, so all of them are explored".to_owned();
            return (None, vec![why]);
        }
        self.subject.find(&needs.atoms, &needs.rewards)
    }

    /// The answer to a property.
    pub fn check(&mut self, property: &Property) -> Outcome {
        self.check_with(property, &mut |_, _| ())
    }

    /// The same; `told` hears what is done, and how many states there are.
    pub fn check_with(&mut self, property: &Property, told: &mut Told<'_>) -> Outcome {
        let outcome = self.attempt(property, self.options.exact, told);
        match outcome {
            Ok(outcome) => outcome,
            Err((span, outcome)) => match self.attempt(property, true, told) {
                Ok(exact) => Outcome { became_exact: true, ..exact },
                Err(_) => {
                    let message = "the value is too near to the bound to decide, and no exact value is known"
                        .to_owned();
                    let answer = Err(problem(ProblemKind::Property, message, span, &[]));
                    Outcome { answer, ..*outcome }
                }
            },
        }
    }

    fn attempt(
        &mut self,
        property: &Property,
        exact: bool,
        told: &mut Told<'_>,
    ) -> Result<Outcome, (Span, Box<Outcome>)> {
        let begun = Instant::now();
        let needs = Needs::of(property);
        let (symmetry, broken) = self.symmetry(property);
        let key = symmetry.as_ref().map_or_else(Vec::new, |found| found.generators.clone());
        let mut outcome = Outcome {
            answer: Ok(Answer::Bool(true)),
            symmetry: None,
            broken,
            states: 0,
            choices: 0,
            transitions: 0,
            represented: None,
            deadlocks: 0,
            sweeps: 0,
            built: Duration::ZERO,
            checked: Duration::ZERO,
            became_exact: false,
        };
        let known = self.built.iter().position(|built| {
            built.key == key
                && built.exact == exact
                && needs.rewards.iter().all(|r| built.rewards.contains(r))
        });
        let index = match known {
            Some(index) => index,
            None => {
                let canon = symmetry.as_ref().map(|found| &found.canon);
                match self.chain(canon, &needs.rewards, exact, &mut |states| told("building", states)) {
                    Ok(chain) => {
                        let represented = canon.and_then(|canon| represented(self.model, &chain, canon));
                        // One chain at a time: the large ones would not fit beside each other.
                        self.built.retain(|built| built.chain.len() < 100_000);
                        self.built.push(Built {
                            key,
                            rewards: needs.rewards.clone(),
                            exact,
                            chain,
                            represented,
                        });
                        self.built.len() - 1
                    }
                    Err(trouble) => {
                        outcome.answer = Err(trouble);
                        return Ok(outcome);
                    }
                }
            }
        };
        outcome.built = begun.elapsed();
        let begun = Instant::now();
        let built = &self.built[index];
        let chain = &built.chain;
        told("solving", chain.len());
        let mut checker = Checker::new(self.model, chain, self.options.precision);
        let answer = checker.check(property);
        outcome.states = chain.len();
        outcome.choices = chain.choices.len() - 1;
        outcome.transitions = chain.targets.len();
        outcome.represented = built.represented;
        outcome.deadlocks = chain.deadlock.iter().filter(|deadlock| **deadlock).count();
        outcome.sweeps = checker.sweeps;
        outcome.checked = begun.elapsed();
        outcome.symmetry = symmetry;
        match answer {
            Ok(answer) => outcome.answer = Ok(answer),
            Err(Trouble::Problem(problem)) => outcome.answer = Err(problem),
            Err(Trouble::Undecided(span)) => return Err((span, Box::new(outcome))),
        }
        Ok(outcome)
    }

    fn chain(
        &self,
        canon: Option<&Canon>,
        rewards: &[u32],
        exact: bool,
        told: &mut dyn FnMut(usize),
    ) -> Result<Chain, Box<Problem>> {
        let how = Build {
            canon,
            rewards,
            exact,
            threads: self.options.threads,
            max_states: self.options.max_states,
            deadline: self.options.deadline,
        };
        build(self.model, &how, told)
    }
}

/// How many states all orbits have together; none where the sizes of orbits are not known.
fn represented(model: &Model, chain: &Chain, canon: &Canon) -> Option<u128> {
    let mut state = vec![0; model.variables.len()];
    let mut sum = 0u128;
    for number in 0..chain.len() {
        chain.states.unpack(number as u32, &mut state);
        sum = sum.checked_add(canon.orbit_size(&state)?)?;
    }
    Some(sum)
}
