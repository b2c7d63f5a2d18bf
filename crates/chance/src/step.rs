//! The steps of a state: for every synchronisation all combinations of enabled commands, for every combination all
//! combinations of branches.
//!
//! Most commands begin with a test of one variable (`pc1=2 & …`). For every slot the variable that most commands test is
//! looked up once, and only the commands for its value are tried.

use burnside_model::Span;
use burnside_model::chance::{Expr, Fault, Kind, Model, Real};
use dashu_ratio::RBig;

use crate::code::{Code, RealCode, exactly};

/// What is wrong in a state that can be reached.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: ProblemKind,
    pub message: String,
    /// The command, branch or reward.
    pub span: Span,
    /// The values of all variables.
    pub state: Vec<i64>,
}

/// Kinds of mistakes that show only when a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    Weight,
    /// A new value outside of its range.
    Range,
    Reward,
    Arithmetic,
    /// A property that is not supported, or does not fit.
    Property,
    /// Too many states, or too much time.
    Limit,
}

/// A compiled branch.
struct CodeBranch {
    weight: RealCode,
    updates: Vec<(u32, Code)>,
}

struct CodeCommand {
    guard: Code,
    branches: Vec<CodeBranch>,
}

/// The commands of a slot, by the value of one variable.
struct Slot {
    variable: usize,
    low: i64,
    /// The commands that may be enabled for each value.
    by_value: Vec<Vec<u32>>,
    /// Where no variable is tested: all of them.
    all: Vec<u32>,
}

struct Sync {
    slots: Vec<Slot>,
}

/// Takes steps.
pub struct Stepper<'m> {
    pub model: &'m Model,
    commands: Vec<CodeCommand>,
    syncs: Vec<Sync>,
    exact: bool,
    enabled: Vec<Vec<u32>>,
}

/// A branch of a choice: its weight and where it leads.
pub struct Taken {
    pub weight: f64,
    /// The same exactly, if that is asked for.
    pub exact: Option<RBig>,
}

/// The choices of one state.
#[derive(Default)]
pub struct Choices {
    /// For each choice its synchronisation and the end of its branches.
    pub choices: Vec<(u32, usize)>,
    /// The weights of all branches.
    pub taken: Vec<Taken>,
    /// The target states of all branches, one after the other.
    pub targets: Vec<i64>,
}

impl Choices {
    fn clear(&mut self) {
        self.choices.clear();
        self.taken.clear();
        self.targets.clear();
    }
}

impl<'m> Stepper<'m> {
    /// Compiles a model; with exact weights if they are asked for.
    pub fn new(model: &'m Model, exact: bool) -> Stepper<'m> {
        let commands = model.commands.iter().map(|command| CodeCommand {
            guard: Code::new(&command.guard, model),
            branches: command
                .branches
                .iter()
                .map(|branch| CodeBranch {
                    weight: RealCode::new(&branch.weight, model),
                    updates: branch.updates.iter().map(|(v, e)| (*v, Code::new(e, model))).collect(),
                })
                .collect(),
        });
        let syncs = model.synchronisations.iter().map(|sync| Sync {
            slots: sync.slots.iter().map(|commands| Slot::new(commands, model)).collect(),
        });
        Stepper { model, commands: commands.collect(), syncs: syncs.collect(), exact, enabled: Vec::new() }
    }

    fn fault(&self, fault: Fault, span: Span, state: &[i64]) -> Box<Problem> {
        problem(ProblemKind::Arithmetic, fault.message().to_owned(), span, state)
    }

    pub fn choices(&mut self, state: &[i64], found: &mut Choices) -> Result<(), Box<Problem>> {
        found.clear();
        let mut enabled = std::mem::take(&mut self.enabled);
        let mut picked: Vec<usize> = Vec::new();
        'syncs: for (index, sync) in self.syncs.iter().enumerate() {
            enabled.resize_with(enabled.len().max(sync.slots.len()), Vec::new);
            for (slot, list) in sync.slots.iter().zip(&mut enabled) {
                list.clear();
                for command in slot.candidates(state) {
                    let guard = &self.commands[*command as usize].guard;
                    let span = || self.model.commands[*command as usize].span;
                    match guard.run(state, self.model) {
                        Ok(0) => {}
                        Ok(_) => list.push(*command),
                        Err(fault) => return Err(self.fault(fault, span(), state)),
                    }
                }
                if list.is_empty() {
                    continue 'syncs;
                }
            }
            picked.clear();
            picked.resize(sync.slots.len(), 0);
            loop {
                self.combination(index as u32, &enabled, &picked, state, found)?;
                if !advance(&mut picked, |slot| enabled[slot].len()) {
                    break;
                }
            }
        }
        self.enabled = enabled;
        Ok(())
    }

    /// One choice: one enabled command of every slot.
    fn combination(
        &self,
        sync: u32,
        enabled: &[Vec<u32>],
        picked: &[usize],
        state: &[i64],
        found: &mut Choices,
    ) -> Result<(), Box<Problem>> {
        let command = |slot: usize| enabled[slot][picked[slot]] as usize;
        let begin = found.taken.len();
        if let [only] = picked {
            // The usual case, without the odometer.
            let id = enabled[0][*only] as usize;
            for branch in 0..self.commands[id].branches.len() {
                let weight = self.weight(id, branch, state)?;
                self.branch(weight, &[(id, branch)], state, found)?;
            }
        } else {
            let mut at = vec![0; picked.len()];
            let mut weights: Vec<Vec<Taken>> = Vec::new();
            for slot in 0..picked.len() {
                let id = command(slot);
                let of_slot = (0..self.commands[id].branches.len()).map(|b| self.weight(id, b, state));
                weights.push(of_slot.collect::<Result<_, _>>()?);
            }
            let mut parts = Vec::with_capacity(picked.len());
            loop {
                parts.clear();
                let mut weight = 1.0;
                let mut exact = self.exact.then_some(RBig::ONE);
                for (slot, branch) in at.iter().enumerate() {
                    let part = &weights[slot][*branch];
                    weight *= part.weight;
                    if let (Some(exact), Some(part)) = (&mut exact, &part.exact) {
                        *exact *= part;
                    }
                    parts.push((command(slot), *branch));
                }
                self.branch(Taken { weight, exact }, &parts, state, found)?;
                if !advance(&mut at, |slot| weights[slot].len()) {
                    break;
                }
            }
        }
        if self.model.kind != Kind::Ctmc {
            let sum: f64 = found.taken[begin..].iter().map(|taken| taken.weight).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                let span = self.model.commands[command(0)].span;
                let message = format!("the probabilities of this command sum up to {sum}, not 1");
                return Err(problem(ProblemKind::Weight, message, span, state));
            }
        } else if found.taken.len() == begin {
            return Ok(());
        }
        found.choices.push((sync, found.taken.len()));
        Ok(())
    }

    /// The weight of a branch, checked.
    fn weight(&self, command: usize, branch: usize, state: &[i64]) -> Result<Taken, Box<Problem>> {
        let source = &self.model.commands[command].branches[branch];
        let code = &self.commands[command].branches[branch].weight;
        let fault = |fault| self.fault(fault, source.span, state);
        let weight = code.run(state, self.model).map_err(fault)?;
        let probability = self.model.kind != Kind::Ctmc;
        if !weight.is_finite() || weight < 0.0 || probability && weight > 1.0 + SUM_TOLERANCE {
            let what = if probability { "probability" } else { "rate" };
            let why = if weight.is_nan() {
                "is not a number".to_owned()
            } else if weight.is_infinite() {
                "is infinite".to_owned()
            } else {
                format!("is {weight}")
            };
            let message = format!("the {what} of this branch {why}");
            return Err(problem(ProblemKind::Weight, message, source.span, state));
        }
        let exact = if self.exact {
            match exactly(&source.weight, state, self.model).map_err(fault)? {
                Real::Exact(value) => Some(value),
                Real::Float(_) => {
                    let message =
                        "this weight is no fraction, so there is no exact result; leave out `--exact`";
                    return Err(problem(ProblemKind::Weight, message.to_owned(), source.span, state));
                }
            }
        } else {
            None
        };
        Ok(Taken { weight, exact })
    }

    fn branch(
        &self,
        taken: Taken,
        parts: &[(usize, usize)],
        state: &[i64],
        found: &mut Choices,
    ) -> Result<(), Box<Problem>> {
        if taken.weight == 0.0 && taken.exact.as_ref().is_none_or(RBig::is_zero) {
            return Ok(());
        }
        let begin = found.targets.len();
        found.targets.extend_from_slice(state);
        for (command, branch) in parts {
            for (position, (variable, code)) in
                self.commands[*command].branches[*branch].updates.iter().enumerate()
            {
                let source = &self.model.commands[*command].branches[*branch];
                let value =
                    code.run(state, self.model).map_err(|fault| self.fault(fault, source.span, state))?;
                let declared = &self.model.variables[*variable as usize];
                if value < declared.low || value > declared.high {
                    let (name, low, high) = (&declared.name, declared.low, declared.high);
                    let message = format!("`{name}` would become {value}, its range is {low}..{high}");
                    debug_assert!(position < source.updates.len());
                    return Err(problem(ProblemKind::Range, message, source.span, state));
                }
                found.targets[begin + *variable as usize] = value;
            }
        }
        found.taken.push(taken);
        Ok(())
    }
}

/// PRISM's tolerance for sums of probabilities, which are often rounded in the text.
const SUM_TOLERANCE: f64 = 1e-5;

pub(crate) fn problem(kind: ProblemKind, message: String, span: Span, state: &[i64]) -> Box<Problem> {
    Box::new(Problem { kind, message, span, state: state.to_vec() })
}

/// The next combination; false after the last one.
fn advance(digits: &mut [usize], size: impl Fn(usize) -> usize) -> bool {
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        *digit += 1;
        if *digit < size(place) {
            return true;
        }
        *digit = 0;
    }
    false
}

impl Slot {
    fn new(commands: &[u32], model: &Model) -> Slot {
        let mut tests: Vec<Vec<(u32, i64)>> = Vec::new();
        for command in commands {
            let mut found = Vec::new();
            required(&model.commands[*command as usize].guard, &mut found);
            tests.push(found);
        }
        let count = |v: usize| tests.iter().filter(|t| t.iter().any(|(w, _)| *w as usize == v)).count();
        let best = (0..model.variables.len())
            .filter(|v| model.variables[*v].size() <= 4096)
            .max_by_key(|v| count(*v))
            .filter(|v| count(*v) > 1);
        let Some(variable) = best else {
            return Slot { variable: 0, low: 0, by_value: Vec::new(), all: commands.to_vec() };
        };
        let declared = &model.variables[variable];
        let mut by_value = vec![Vec::new(); declared.size() as usize];
        for (command, tests) in commands.iter().zip(&tests) {
            let wanted = tests.iter().find(|(v, _)| *v as usize == variable).map(|(_, value)| *value);
            for (offset, list) in by_value.iter_mut().enumerate() {
                if wanted.is_none_or(|value| value == declared.low + offset as i64) {
                    list.push(*command);
                }
            }
        }
        Slot { variable, low: declared.low, by_value, all: Vec::new() }
    }

    fn candidates(&self, state: &[i64]) -> &[u32] {
        if self.by_value.is_empty() {
            return &self.all;
        }
        &self.by_value[(state[self.variable] - self.low) as usize]
    }
}

/// The tests `x = c` that must hold for an expression to hold.
fn required(expr: &Expr, found: &mut Vec<(u32, i64)>) {
    use burnside_model::chance::Binary;
    match expr {
        Expr::Binary(Binary::And, a, b) => {
            required(a, found);
            required(b, found);
        }
        Expr::Binary(Binary::Eq, a, b) => match (&**a, &**b) {
            (Expr::Var(v), Expr::Int(c)) | (Expr::Int(c), Expr::Var(v)) => found.push((*v, *c)),
            _ => {}
        },
        _ => {}
    }
}
