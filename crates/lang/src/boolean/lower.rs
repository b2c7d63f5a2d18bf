//! Boolean programs as thread transition systems.
//!
//! A shared state is a valuation of the global variables, and whether some thread is in an atomic section; a local state is
//! a thread's stack of calls, each with a position and a valuation of its variables. Both are found by need: from every
//! shared state and every local state that can occur beside it, one statement leads on. A variable that nothing gave a
//! value has either. A violated assertion leads to one more shared state, which is the target.

use std::collections::{BTreeMap, HashMap, HashSet};

use burnside_model::Span;
use burnside_model::threads::{Population, ThreadStart, ThreadStep, ThreadSystem, ThreadTarget};

use super::parse::{Code, Expr, Function, Program, Read};
use crate::diag::{Diagnostic, codes};

/// The most calls inside each other.
const DEEPEST: usize = 32;

/// The most variables that are in scope together.
const MOST_VARIABLES: usize = 60;

/// The most values that one step may choose: 2 to the power of so many unknown bits.
const MOST_CHOICES: usize = 1 << 16;

/// The most steps.
const MOST_STEPS: usize = 4_000_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    function: usize,
    at: usize,
    values: u64,
}

/// A local state: the stack, and whether the thread is in an atomic section.
type Local = (Vec<Frame>, bool);
/// A shared state: the globals, and whether a thread is in an atomic section.
type Shared = (u64, bool);

/// The shared state in which an assertion is violated, and the one before the globals have values.
const VIOLATED: u32 = 0;
const BEFORE: u32 = 1;

/// The local state of threads that have ended.
const ENDED: u32 = 0;

struct Lowerer<'p> {
    program: &'p Program,
    label: Option<&'p str>,
    shared: HashMap<Shared, u32>,
    locals: HashMap<Local, u32>,
    all_shared: Vec<Shared>,
    all_locals: Vec<Local>,
}

/// What a thread does in one step.
struct Move {
    shared: Option<Shared>,
    local: Option<Local>,
    started: Option<Local>,
}

fn fail<T>(span: Span, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic::error(codes::NOT_SUPPORTED, span, message)))
}

/// The thread system of a program; `label` is one more place that must not be reached.
pub(super) fn lower(program: &Program, label: Option<&str>) -> Read<ThreadSystem> {
    let Some(main) = program.functions.iter().position(|function| function.name == "main") else {
        return fail(Span::default(), "there is no function `main`");
    };
    let start = ThreadStart { shared: BEFORE, fixed: Population::from([(1, 1)]), unbounded: Vec::new() };
    let target = Some(ThreadTarget { shared: VIOLATED, locals: Population::new() });
    let claims = program.functions.iter().any(|function| {
        function.code.iter().any(|(code, _)| matches!(code, Code::Assert(_)))
            || label.is_some_and(|label| function.labels.contains_key(label))
    });
    if !claims {
        // Nothing can be violated.
        return Ok(ThreadSystem { shared: 2, locals: 2, steps: Vec::new(), start, target });
    }
    let mut lowerer = Lowerer {
        program,
        label,
        shared: HashMap::new(),
        locals: HashMap::new(),
        all_shared: vec![(0, false); 2],
        all_locals: vec![(Vec::new(), false); 2],
    };
    lowerer.check_names()?;
    let globals = lowerer.valuations(program.globals.len(), Span::default())?;
    let entries = lowerer.entries(main, 0, Span::default())?;
    let nothing = Function::default();
    let mut begins = Vec::new();
    for values in globals {
        // The declared first values in place of arbitrary ones.
        let scope = Scope { program, function: &nothing, globals: values, values: 0 };
        let (names, first): (Vec<String>, Vec<Expr>) = program.first.iter().cloned().unzip();
        begins.extend(scope.assignments(&names, &first, Span::default())?.into_iter().map(|after| after.0));
    }
    begins.sort_unstable();
    begins.dedup();
    let mut steps = Vec::new();
    let mut pairs = Reached::default();
    for values in begins {
        for entry in &entries {
            let (shared, local) =
                (lowerer.shared((values, false)), lowerer.local((vec![entry.clone()], false)));
            steps.push(step((BEFORE, shared), (1, local), None));
            pairs.add(shared, local);
        }
    }
    while let Some((shared, local)) = pairs.open.pop() {
        if local == ENDED || shared == VIOLATED {
            continue;
        }
        for made in lowerer.moves(shared, local)? {
            let to_shared = made.shared.map_or(VIOLATED, |state| lowerer.shared(state));
            let to_local = made.local.map_or(ENDED, |state| lowerer.local(state));
            let started = made.started.map(|state| lowerer.local(state));
            steps.push(step((shared, to_shared), (local, to_local), started));
            if to_shared != VIOLATED {
                pairs.connect(shared, to_shared);
                pairs.add(to_shared, to_local);
                started.into_iter().for_each(|started| pairs.add(to_shared, started));
            }
        }
        if steps.len() > MOST_STEPS {
            return fail(Span::default(), "this program has too many states");
        }
    }
    let (shared, locals) = (lowerer.all_shared.len() as u32, lowerer.all_locals.len() as u32);
    Ok(ThreadSystem { shared, locals, steps, start, target })
}

fn step(shared: (u32, u32), local: (u32, u32), spawned: Option<u32>) -> ThreadStep {
    ThreadStep { shared, local, spawned, passive: BTreeMap::new() }
}

/// Which local states are beside which shared states, and what is still to be looked at.
#[derive(Default)]
struct Reached {
    beside: HashMap<u32, HashSet<u32>>,
    after: HashMap<u32, HashSet<u32>>,
    open: Vec<(u32, u32)>,
}

impl Reached {
    fn add(&mut self, shared: u32, local: u32) {
        let mut waiting = vec![shared];
        while let Some(shared) = waiting.pop() {
            if self.beside.entry(shared).or_default().insert(local) {
                self.open.push((shared, local));
                waiting.extend(self.after.get(&shared).into_iter().flatten());
            }
        }
    }

    fn connect(&mut self, from: u32, to: u32) {
        if from != to && self.after.entry(from).or_default().insert(to) {
            let here: Vec<u32> = self.beside.get(&from).into_iter().flatten().copied().collect();
            here.into_iter().for_each(|local| self.add(to, local));
        }
    }
}

impl Lowerer<'_> {
    fn shared(&mut self, state: Shared) -> u32 {
        let next = self.all_shared.len() as u32;
        let number = *self.shared.entry(state).or_insert(next);
        if number == next {
            self.all_shared.push(state);
        }
        number
    }

    fn local(&mut self, state: Local) -> u32 {
        let next = self.all_locals.len() as u32;
        let number = *self.locals.entry(state.clone()).or_insert(next);
        if number == next {
            self.all_locals.push(state);
        }
        number
    }

    fn check_names(&self) -> Read<()> {
        for function in &self.program.functions {
            if self.program.globals.len() + function.params.len() + function.locals.len() > MOST_VARIABLES {
                return fail(Span::default(), format!("`{}` has too many variables", function.name));
            }
        }
        Ok(())
    }

    fn valuations(&self, variables: usize, span: Span) -> Read<std::ops::Range<u64>> {
        if variables > 16 {
            return fail(span, "more than 16 variables get an arbitrary value at once");
        }
        Ok(0..1 << variables)
    }

    /// The frames with which a function may begin, its parameters given.
    fn entries(&self, function: usize, params: u64, span: Span) -> Read<Vec<Frame>> {
        let declared = &self.program.functions[function];
        let values = self.valuations(declared.locals.len(), span)?;
        let shift = declared.params.len();
        Ok(values.map(|locals| Frame { function, at: 0, values: params | locals << shift }).collect())
    }

    fn function(&self, name: &str, span: Span) -> Read<usize> {
        self.program.functions.iter().position(|function| function.name == name).map_or_else(
            || {
                let message = format!("there is no function `{name}`");
                Err(Box::new(Diagnostic::error(codes::UNKNOWN_FUNCTION, span, message)))
            },
            Ok,
        )
    }

    /// What a thread can do next.
    fn moves(&self, shared: u32, local: u32) -> Read<Vec<Move>> {
        let ((globals, atomic), (stack, inside)) =
            (self.all_shared[shared as usize], &self.all_locals[local as usize]);
        if atomic != *inside {
            return Ok(Vec::new());
        }
        let Some(frame) = stack.last() else { return Ok(Vec::new()) };
        let function = &self.program.functions[frame.function];
        let (code, span) = &function.code[frame.at];
        let scope = Scope { program: self.program, function, globals, values: frame.values };
        if self.label.is_some_and(|label| function.labels.get(label) == Some(&frame.at)) {
            return Ok(vec![Move { shared: None, local: None, started: None }]);
        }
        let at = |at: usize, globals: u64, values: u64| {
            let mut stack = stack.clone();
            if let Some(top) = stack.last_mut() {
                (top.at, top.values) = (at, values);
            }
            Move { shared: Some((globals, atomic)), local: Some((stack, *inside)), started: None }
        };
        let here = |to: usize| at(to, globals, frame.values);
        let next = frame.at + 1;
        if let Some(enforced) = &function.enforce
            && !scope.may(enforced, None)?.1
        {
            return Ok(Vec::new());
        }
        Ok(match code {
            Code::Skip => vec![here(next)],
            Code::Goto(to) => vec![here(*to)],
            Code::Jump(labels) => {
                let mut moves = Vec::new();
                for label in labels {
                    moves.push(here(self.position(function, label, *span)?));
                }
                moves
            }
            Code::Branch(condition, otherwise) => {
                let (no, yes) = scope.may(condition, None)?;
                yes.then(|| here(next)).into_iter().chain(no.then(|| here(*otherwise))).collect()
            }
            Code::Assume(condition) => {
                let (_, yes) = scope.may(condition, None)?;
                yes.then(|| here(next)).into_iter().collect()
            }
            Code::Assert(condition) => {
                let (no, yes) = scope.may(condition, None)?;
                let violated = Move { shared: None, local: None, started: None };
                yes.then(|| here(next)).into_iter().chain(no.then_some(violated)).collect()
            }
            Code::AtomicBegin | Code::AtomicEnd => {
                let inside = matches!(code, Code::AtomicBegin);
                let mut stack = stack.clone();
                if let Some(top) = stack.last_mut() {
                    top.at = next;
                }
                vec![Move { shared: Some((globals, inside)), local: Some((stack, inside)), started: None }]
            }
            Code::EndThread => vec![Move { shared: Some((globals, false)), local: None, started: None }],
            Code::Assign(targets, values, constrain) => {
                let mut moves = Vec::new();
                for after in scope.assignments(targets, values, *span)? {
                    let fits = match constrain {
                        Some(condition) => scope.may(condition, Some(after))?.1,
                        None => true,
                    };
                    let enforced = match &function.enforce {
                        Some(condition) => {
                            Scope { globals: after.0, values: after.1, ..scope }.may(condition, None)?.1
                        }
                        None => true,
                    };
                    if fits && enforced {
                        moves.push(at(next, after.0, after.1));
                    }
                }
                moves
            }
            Code::Call(name, args, _) => {
                let callee = self.function(name, *span)?;
                if stack.len() >= DEEPEST {
                    return fail(*span, format!("calls are nested more than {DEEPEST} deep here"));
                }
                let mut moves = Vec::new();
                for params in scope.choices(args, *span)? {
                    for entry in self.entries(callee, params, *span)? {
                        let mut stack = stack.clone();
                        stack.push(entry);
                        let local = Some((stack, *inside));
                        moves.push(Move { shared: Some((globals, atomic)), local, started: None });
                    }
                }
                moves
            }
            Code::Start(name, args) => {
                let callee = self.function(name, *span)?;
                let mut moves = Vec::new();
                for params in scope.choices(args, *span)? {
                    for entry in self.entries(callee, params, *span)? {
                        moves.push(Move { started: Some((vec![entry], false)), ..here(next) });
                    }
                }
                moves
            }
            Code::StartAt(label) => {
                let to = self.position(function, label, *span)?;
                let started = Frame { at: to, ..frame.clone() };
                vec![Move { started: Some((vec![started], false)), ..here(next) }]
            }
            Code::Return(values) => self.returns(stack, (globals, *inside), &scope, values, *span)?,
        })
    }

    /// Goes back to the caller, and gives it the results.
    fn returns(
        &self,
        stack: &[Frame],
        (globals, inside): Shared,
        scope: &Scope<'_>,
        values: &[Expr],
        span: Span,
    ) -> Read<Vec<Move>> {
        let below = &stack[..stack.len() - 1];
        let Some(caller) = below.last() else {
            return Ok(vec![Move { shared: Some((globals, false)), local: None, started: None }]);
        };
        let function = &self.program.functions[caller.function];
        let Code::Call(_, _, targets) = &function.code[caller.at].0 else { return Ok(Vec::new()) };
        let outer = Scope { program: self.program, function, globals, values: caller.values };
        let mut moves = Vec::new();
        for results in scope.choices(values, span)? {
            let mut after = (globals, caller.values);
            for (number, target) in targets.iter().enumerate().take(values.len()) {
                outer.set(&mut after, target, results >> number & 1 == 1, span)?;
            }
            let mut stack = below.to_vec();
            if let Some(top) = stack.last_mut() {
                (top.at, top.values) = (caller.at + 1, after.1);
            }
            moves.push(Move { shared: Some((after.0, inside)), local: Some((stack, inside)), started: None });
        }
        Ok(moves)
    }

    fn position(&self, function: &Function, label: &str, span: Span) -> Read<usize> {
        function.labels.get(label).copied().map_or_else(
            || {
                let message = format!("there is no label `{label}` in `{}`", function.name);
                Err(Box::new(Diagnostic::error(codes::UNKNOWN_NAME, span, message)))
            },
            Ok,
        )
    }
}

/// The variables that a statement sees.
#[derive(Clone, Copy)]
struct Scope<'p> {
    program: &'p Program,
    function: &'p Function,
    globals: u64,
    values: u64,
}

impl Scope<'_> {
    /// Whether a variable is local, and its bit.
    fn bit(&self, name: &str, span: Span) -> Read<(bool, usize)> {
        let mut locals = self.function.params.iter().chain(&self.function.locals);
        if let Some(bit) = locals.position(|local| local == name) {
            return Ok((true, bit));
        }
        self.program.globals.iter().position(|global| global == name).map_or_else(
            || {
                let message = format!("nothing declares `{name}`");
                Err(Box::new(Diagnostic::error(codes::UNKNOWN_NAME, span, message)))
            },
            |bit| Ok((false, bit)),
        )
    }

    fn set(&self, (globals, values): &mut (u64, u64), name: &str, to: bool, span: Span) -> Read<()> {
        let (local, bit) = self.bit(name, span)?;
        let into = if local { values } else { globals };
        *into = *into & !(1 << bit) | u64::from(to) << bit;
        Ok(())
    }

    /// Whether an expression may be false, and whether it may be true. Every `*` is chosen for itself, so this is exact.
    fn may(&self, expr: &Expr, after: Option<(u64, u64)>) -> Read<(bool, bool)> {
        Ok(match expr {
            Expr::Const(value) => (!value, *value),
            Expr::Any => (true, true),
            Expr::Var(name, primed, span) => {
                let (local, bit) = self.bit(name, *span)?;
                let (globals, values) = match (primed, after) {
                    (true, Some(after)) => after,
                    (true, None) => return fail(*span, "a primed variable stands in a `constrain` only"),
                    _ => (self.globals, self.values),
                };
                let value = (if local { values } else { globals }) >> bit & 1 == 1;
                (!value, value)
            }
            Expr::Not(a) => {
                let (no, yes) = self.may(a, after)?;
                (yes, no)
            }
            Expr::And(a, b) => {
                let (a, b) = (self.may(a, after)?, self.may(b, after)?);
                (a.0 || b.0, a.1 && b.1)
            }
            Expr::Or(a, b) => {
                let (a, b) = (self.may(a, after)?, self.may(b, after)?);
                (a.0 && b.0, a.1 || b.1)
            }
            Expr::Eq(a, b) => {
                let (a, b) = (self.may(a, after)?, self.may(b, after)?);
                (a.0 && b.1 || a.1 && b.0, a.0 && b.0 || a.1 && b.1)
            }
            Expr::Cond(c, a, b) => {
                let (c, a, b) = (self.may(c, after)?, self.may(a, after)?, self.may(b, after)?);
                (c.1 && a.0 || c.0 && b.0, c.1 && a.1 || c.0 && b.1)
            }
            Expr::Choose(yes, no) => {
                let (yes, no) = (self.may(yes, after)?, self.may(no, after)?);
                // True if the first holds; otherwise false if the second does, and either if not.
                (yes.0, yes.1 || yes.0 && no.0)
            }
        })
    }

    /// All combinations of values of some expressions, as bits.
    fn choices(&self, exprs: &[Expr], span: Span) -> Read<Vec<u64>> {
        let mut all = vec![0];
        for (bit, expr) in exprs.iter().enumerate() {
            let (no, yes) = self.may(expr, None)?;
            let longer: Vec<u64> = all
                .iter()
                .flat_map(|one: &u64| no.then_some(*one).into_iter().chain(yes.then_some(one | 1 << bit)))
                .collect();
            all = longer;
            if all.len() > MOST_CHOICES || bit >= 63 {
                return fail(span, "too many values are chosen here at once");
            }
        }
        Ok(all)
    }

    /// The variables after an assignment.
    fn assignments(&self, targets: &[String], values: &[Expr], span: Span) -> Read<Vec<(u64, u64)>> {
        let mut all = Vec::new();
        for chosen in self.choices(values, span)? {
            let mut after = (self.globals, self.values);
            for (bit, target) in targets.iter().enumerate() {
                self.set(&mut after, target, chosen >> bit & 1 == 1, span)?;
            }
            all.push(after);
        }
        Ok(all)
    }
}
