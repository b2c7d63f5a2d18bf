//! Exploration: from commands to a [`Chain`], one state per orbit if there is symmetry.
//!
//! States are expanded in batches, by several threads if that is asked for: taking steps and finding representatives is most
//! of the work. New states are then numbered by one thread, in the order of the batch, so that the result does not depend
//! on the number of threads. Branches of a choice that lead to the same representative are added up. Choices of a decision
//! process that are then equal in branches and rewards are one choice.

use burnside_model::chance::{Expr, Initial, Kind, Model, Real};
use burnside_model::{Deadline, Span};
use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::chain::{Chain, Rewards};
use crate::code::{Code, RealCode, exactly};
use crate::states::{Layout, States};
use crate::step::{Choices, Problem, ProblemKind, Stepper, problem};
use crate::symmetry::Canon;

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct Build<'b> {
    /// Chooses representatives; none: every state is its own.
    pub canon: Option<&'b Canon>,
    /// The reward structures that are needed.
    pub rewards: &'b [u32],
    /// Whether exact weights are needed.
    pub exact: bool,
    /// How many threads expand states.
    pub threads: usize,
    /// The most states.
    pub max_states: usize,
    /// When to give up.
    pub deadline: Deadline,
}

/// A compiled line of a reward structure.
struct RewardCode<'m> {
    structure: usize,
    action: Option<Option<u32>>,
    guard: Code,
    value: RealCode,
    source: &'m Expr,
    span: Span,
}

/// What a thread found out about some states.
#[derive(Default)]
struct Expanded {
    /// By state, the end of its choices.
    states: Vec<usize>,
    /// By choice, the end of its branches.
    choices: Vec<usize>,
    weights: Vec<f64>,
    exact: Vec<RBig>,
    /// Packed representatives of the targets.
    targets: Vec<u64>,
    /// By state and structure.
    state_rewards: Vec<(f64, RBig)>,
    /// By choice and structure.
    choice_rewards: Vec<(f64, RBig)>,
}

/// States that one thread expands at a time.
const BATCH: usize = 2048;

/// Explores a model; `told` hears how many states there are.
pub fn build(model: &Model, how: &Build, told: &mut dyn FnMut(usize)) -> Result<Chain, Box<Problem>> {
    let layout = Layout::new(model);
    let mut states = States::new(layout.clone());
    let mut initial: Vec<u32> = Vec::new();
    let mut packed = vec![0; layout.words];
    let mut canon = how.canon.map(Canon::scratch);
    for mut state in initial_states(model)? {
        if let (Some(canon), Some(scratch)) = (how.canon, &mut canon) {
            canon.apply(&mut state, scratch);
        }
        layout.pack(&state, &mut packed);
        initial.push(states.insert(&packed));
    }
    initial.sort_unstable();
    initial.dedup();
    if initial.is_empty() {
        let message = "there is no initial state: nothing satisfies `init … endinit`".to_owned();
        return Err(problem(ProblemKind::Arithmetic, message, Span::default(), &[]));
    }
    let threads = how.threads.max(1);
    let mut workers: Vec<Worker> = (0..threads).map(|_| Worker::new(model, how, &layout)).collect();
    let mut chain = Chain {
        kind: model.kind,
        states: States::new(layout.clone()),
        initial,
        rows: vec![0],
        choices: vec![0],
        targets: Vec::new(),
        weights: Vec::new(),
        exact: how.exact.then(Vec::new),
        deadlock: Vec::new(),
        deadline: how.deadline,
        rewards: how.rewards.iter().map(|r| Rewards { structure: *r, ..Rewards::default() }).collect(),
    };
    let mut next = 0;
    let mut merger = Merger { how, kind: model.kind, words: layout.words, branches: Vec::new() };
    while next < states.len() {
        if states.len() > how.max_states {
            let message = format!("more than {} states", how.max_states);
            return Err(problem(ProblemKind::Limit, message, Span::default(), &[]));
        }
        if how.deadline.has_passed() {
            return Err(problem(ProblemKind::Limit, "out of time".to_owned(), Span::default(), &[]));
        }
        told(states.len());
        let end = states.len();
        let share = (end - next).div_ceil(threads).clamp(1, BATCH);
        let parts: Vec<_> = (0..threads)
            .map(|thread| (next + thread * share).min(end)..(next + (thread + 1) * share).min(end))
            .collect();
        let found: Vec<Result<Expanded, Box<Problem>>> = if threads == 1 || end - next < 64 {
            parts.iter().map(|part| workers[0].expand(&states, part.clone())).collect()
        } else {
            let states = &states;
            std::thread::scope(|scope| {
                let running: Vec<_> = workers
                    .iter_mut()
                    .zip(&parts)
                    .map(|(worker, part)| scope.spawn(move || worker.expand(states, part.clone())))
                    .collect();
                let joined = running.into_iter().map(|thread| thread.join());
                joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
            })
        };
        for expanded in found {
            merger.merge(expanded?, &mut states, &mut chain);
        }
        next = parts.last().map_or(end, |part| part.end);
    }
    states.finish();
    chain.states = states;
    Ok(chain)
}

struct Worker<'m> {
    stepper: Stepper<'m>,
    rewards: Vec<RewardCode<'m>>,
    structures: usize,
    canon: Option<(&'m Canon, crate::symmetry::Scratch)>,
    layout: Layout,
    state: Vec<i64>,
    choices: Choices,
    exact: bool,
}

impl<'m> Worker<'m> {
    fn new(model: &'m Model, how: &Build<'m>, layout: &Layout) -> Worker<'m> {
        let mut rewards = Vec::new();
        for (position, structure) in how.rewards.iter().enumerate() {
            for item in &model.rewards[*structure as usize].items {
                rewards.push(RewardCode {
                    structure: position,
                    action: item.action,
                    guard: Code::new(&item.guard, model),
                    value: RealCode::new(&item.value, model),
                    source: &item.value,
                    span: item.span,
                });
            }
        }
        Worker {
            stepper: Stepper::new(model, how.exact),
            rewards,
            structures: how.rewards.len(),
            canon: how.canon.map(|canon| (canon, canon.scratch())),
            layout: layout.clone(),
            state: vec![0; model.variables.len()],
            choices: Choices::default(),
            exact: how.exact,
        }
    }

    fn expand(&mut self, states: &States, part: std::ops::Range<usize>) -> Result<Expanded, Box<Problem>> {
        let mut found = Expanded::default();
        let mut packed = vec![0; self.layout.words];
        let size = self.state.len();
        for number in part {
            states.unpack(number as u32, &mut self.state);
            self.stepper.choices(&self.state, &mut self.choices)?;
            let mut begin = 0;
            for (sync, end) in &self.choices.choices {
                for branch in begin..*end {
                    let target = &mut self.choices.targets[branch * size..(branch + 1) * size];
                    if let Some((canon, scratch)) = &mut self.canon {
                        canon.apply(target, scratch);
                    }
                    self.layout.pack(target, &mut packed);
                    found.targets.extend_from_slice(&packed);
                    let taken = &mut self.choices.taken[branch];
                    found.weights.push(taken.weight);
                    if let Some(exact) = taken.exact.take() {
                        found.exact.push(exact);
                    }
                }
                begin = *end;
                found.choices.push(found.weights.len());
                let action = self.stepper.model.synchronisations[*sync as usize].action;
                for structure in 0..self.structures {
                    let earned = self.earned(structure, Some(action))?;
                    found.choice_rewards.push(earned);
                }
            }
            found.states.push(found.choices.len());
            for structure in 0..self.structures {
                let earned = self.earned(structure, None)?;
                found.state_rewards.push(earned);
            }
        }
        Ok(found)
    }

    /// What is earned in a state, or by a choice.
    fn earned(&self, structure: usize, action: Option<Option<u32>>) -> Result<(f64, RBig), Box<Problem>> {
        let (model, state) = (self.stepper.model, &self.state);
        let mut sum = (0.0, RBig::ZERO);
        for item in self.rewards.iter().filter(|item| item.structure == structure && item.action == action) {
            let fault = |fault: burnside_model::chance::Fault| {
                problem(ProblemKind::Arithmetic, fault.message().to_owned(), item.span, state)
            };
            if item.guard.run(state, model).map_err(fault)? == 0 {
                continue;
            }
            let value = item.value.run(state, model).map_err(fault)?;
            if !value.is_finite() || value < 0.0 {
                let why = if value.is_nan() {
                    "is not a number".to_owned()
                } else if value.is_infinite() {
                    "is infinite".to_owned()
                } else {
                    format!("is {value}; rewards are not negative")
                };
                return Err(problem(ProblemKind::Reward, format!("this reward {why}"), item.span, state));
            }
            sum.0 += value;
            if self.exact {
                match exactly(item.source, state, model).map_err(fault)? {
                    Real::Exact(value) => sum.1 += value,
                    Real::Float(_) => {
                        let message = "this reward is no fraction; leave out `--exact`".to_owned();
                        return Err(problem(ProblemKind::Reward, message, item.span, state));
                    }
                }
            }
        }
        Ok(sum)
    }
}

struct Merger<'b> {
    how: &'b Build<'b>,
    kind: Kind,
    words: usize,
    branches: Vec<(u32, f64, RBig)>,
}

impl Merger<'_> {
    /// Numbers the targets and appends the rows.
    fn merge(&mut self, expanded: Expanded, states: &mut States, chain: &mut Chain) {
        let exact = self.how.exact;
        let structures = self.how.rewards.len();
        let mut exact_weights = expanded.exact.into_iter();
        let (mut choice, mut branch) = (0, 0);
        for (index, end) in expanded.states.iter().enumerate() {
            let number = chain.deadlock.len() as u32;
            let count = end - choice;
            let first = chain.choices.len() - 1;
            let mut earned = vec![(0.0, RBig::ZERO); structures];
            self.branches.clear();
            while choice < *end {
                while branch < expanded.choices[choice] {
                    let target = states.insert(&expanded.targets[branch * self.words..][..self.words]);
                    let weight = if exact { exact_weights.next().unwrap_or(RBig::ZERO) } else { RBig::ZERO };
                    self.branches.push((target, expanded.weights[branch], weight));
                    branch += 1;
                }
                for (sum, reward) in
                    earned.iter_mut().zip(&expanded.choice_rewards[choice * structures..][..structures])
                {
                    let begin = if choice == 0 { 0 } else { expanded.choices[choice - 1] };
                    let rate = match self.kind {
                        Kind::Ctmc => expanded.weights[begin..expanded.choices[choice]].iter().sum(),
                        _ => 1.0,
                    };
                    sum.0 += reward.0 * rate;
                    if exact && self.kind == Kind::Ctmc {
                        let own = &self.branches[self.branches.len() - (expanded.choices[choice] - begin)..];
                        sum.1 += own.iter().fold(RBig::ZERO, |sum, (_, _, w)| sum + w) * &reward.1;
                    } else if exact {
                        sum.1 += &reward.1;
                    }
                }
                choice += 1;
                if self.kind == Kind::Mdp {
                    self.push(chain, first, &earned);
                    earned.iter_mut().for_each(|sum| *sum = (0.0, RBig::ZERO));
                }
            }
            if count == 0 {
                self.branches.push((number, 1.0, RBig::ONE));
                self.push(chain, first, &earned);
            } else if self.kind != Kind::Mdp {
                if self.kind == Kind::Dtmc && count > 1 {
                    // Several commands are enabled: each of them with the same probability.
                    let share = RBig::from_parts(1.into(), UBig::from(count));
                    for (_, weight, exact_weight) in &mut self.branches {
                        *weight /= count as f64;
                        *exact_weight = &*exact_weight * &share;
                    }
                    for sum in &mut earned {
                        *sum = (sum.0 / count as f64, &sum.1 * &share);
                    }
                }
                self.push(chain, first, &earned);
            }
            chain.deadlock.push(count == 0);
            chain.rows.push((chain.choices.len() - 1) as u32);
            for (rewards, earned) in
                chain.rewards.iter_mut().zip(&expanded.state_rewards[index * structures..][..structures])
            {
                rewards.state.push(earned.0);
                if exact {
                    rewards.exact_state.push(earned.1.clone());
                }
            }
        }
    }

    /// Appends the collected branches as a choice, unless the state has an equal one from `first` on.
    fn push(&mut self, chain: &mut Chain, first: usize, earned: &[(f64, RBig)]) {
        let exact = self.how.exact;
        self.branches.sort_by_key(|(target, ..)| *target);
        let begin = chain.targets.len();
        for (target, weight, exact_weight) in self.branches.drain(..) {
            if chain.targets.len() > begin && chain.targets.last() == Some(&target) {
                let last = chain.weights.len() - 1;
                chain.weights[last] += weight;
                if let Some(weights) = &mut chain.exact {
                    weights[last] += exact_weight;
                }
                continue;
            }
            chain.targets.push(target);
            chain.weights.push(weight);
            if let Some(weights) = &mut chain.exact {
                weights.push(exact_weight);
            }
        }
        let known = (first..chain.choices.len() - 1).any(|other| {
            let range = chain.branches_of(other);
            let same = chain.targets[range.clone()] == chain.targets[begin..]
                && if let Some(weights) = &chain.exact {
                    weights[range] == weights[begin..]
                } else {
                    let pairs = chain.weights[range].iter().zip(&chain.weights[begin..]);
                    pairs.into_iter().all(|(a, b)| a == b)
                };
            same && chain.rewards.iter().zip(earned).all(|(rewards, earned)| {
                if exact {
                    rewards.exact_choice[other] == earned.1
                } else {
                    rewards.choice[other] == earned.0
                }
            })
        });
        if known {
            chain.targets.truncate(begin);
            chain.weights.truncate(begin);
            if let Some(weights) = &mut chain.exact {
                weights.truncate(begin);
            }
            return;
        }
        chain.choices.push(chain.targets.len() as u32);
        for (rewards, earned) in chain.rewards.iter_mut().zip(earned) {
            rewards.choice.push(earned.0);
            if exact {
                rewards.exact_choice.push(earned.1.clone());
            }
        }
    }
}

/// All initial states, by trying values variable by variable; a part of the condition is tested as soon as all of its
/// variables have a value.
pub fn initial_states(model: &Model) -> Result<Vec<Vec<i64>>, Box<Problem>> {
    let condition = match &model.initial {
        Initial::State(state) => return Ok(vec![state.clone()]),
        Initial::Where(condition) => condition,
    };
    let mut parts = Vec::new();
    conjuncts(condition, &mut parts);
    let mut by_last: Vec<Vec<Code>> = vec![Vec::new(); model.variables.len() + 1];
    for part in parts {
        let last = part.support().last().map_or(0, |v| *v as usize + 1);
        by_last[last].push(Code::new(part, model));
    }
    let mut search =
        Search { model, by_last, state: vec![0; model.variables.len()], found: Vec::new(), tried: 0 };
    search.go(0)?;
    Ok(search.found)
}

/// The parts of a conjunction.
pub(crate) fn conjuncts<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(burnside_model::chance::Binary::And, a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        _ => found.push(expr),
    }
}

struct Search<'m> {
    model: &'m Model,
    by_last: Vec<Vec<Code>>,
    state: Vec<i64>,
    found: Vec<Vec<i64>>,
    tried: u64,
}

/// More candidates for initial states are not tried.
const MAX_TRIED: u64 = 1 << 27;

impl Search<'_> {
    fn go(&mut self, depth: usize) -> Result<(), Box<Problem>> {
        self.tried += 1;
        if self.tried > MAX_TRIED {
            let message = "too many candidates for initial states".to_owned();
            return Err(problem(ProblemKind::Limit, message, Span::default(), &[]));
        }
        for code in &self.by_last[depth] {
            match code.run(&self.state, self.model) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(fault) => {
                    let message = fault.message().to_owned();
                    return Err(problem(ProblemKind::Arithmetic, message, Span::default(), &self.state));
                }
            }
        }
        if depth == self.state.len() {
            self.found.push(self.state.clone());
            return Ok(());
        }
        let (low, high) = (self.model.variables[depth].low, self.model.variables[depth].high);
        for value in low..=high {
            self.state[depth] = value;
            self.go(depth + 1)?;
        }
        Ok(())
    }
}
