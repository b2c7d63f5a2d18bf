//! The values that a variable of type `int` takes, where that can be read off the text.
//!
//! Many models declare `int id;` and assign nothing to it but `0` and the parameter `pid` of a process. All its values
//! are then those of `pid` and 0. With such a range in place of `int`, the symmetry between processes can be found, as if
//! the author had written `int[0,6] id;`. The range includes every value that is ever assigned, so that the model means
//! the same: no assignment can leave it.
//!
//! What is assigned must be a constant, a variable, parameter or selection with few values, or a choice between such.
//! Anything computed gives up the variable, and so does passing it by reference or copying a whole array: then types
//! must be equal. This is an interval analysis without arithmetic, so that its fixpoint is reached after few rounds.

use std::collections::HashMap;

use burnside_model::Network;
use burnside_model::code::{
    Arg, Block, Call, Expr, ExprKind, GlobalId, LoopRange, Operand, Place, PlaceKind, StmtKind, TypeId,
    TypeKind,
};

/// Ranges with more values are not worth it.
const MOST_VALUES: i64 = 256;

/// What is known of the values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// It has none yet.
    None,
    /// From one to another.
    Within(i64, i64),
    /// Any.
    Any,
}

impl Values {
    fn join(self, other: Values) -> Values {
        match (self, other) {
            (Values::None, known) | (known, Values::None) => known,
            (Values::Within(a, b), Values::Within(c, d))
                if b.max(d).saturating_sub(a.min(c)) < MOST_VALUES =>
            {
                Values::Within(a.min(c), b.max(d))
            }
            _ => Values::Any,
        }
    }
}

/// The ranges of the variables, by full name, that are of type `int` and take few values.
pub(super) fn value_ranges(network: &Network, int: TypeId) -> HashMap<String, (i64, i64)> {
    let model = &network.model;
    let candidate = |ty: TypeId| leaf(network, ty) == int;
    let start = |ty: TypeId| if candidate(ty) { Values::None } else { Values::Any };
    let mut known = Known { network, values: model.globals.iter().map(|global| start(global.ty)).collect() };
    loop {
        let before = known.values.clone();
        let rules = model.starts.iter().chain(&model.rules);
        rules.clone().for_each(|rule| known.block(&rule.body));
        rules.flat_map(|rule| &rule.guard).for_each(|guard| known.passed_by(guard));
        model.functions.iter().for_each(|function| known.block(&function.body));
        let locations = network.processes.iter().flat_map(|process| &process.locations);
        locations.flat_map(|location| &location.invariant).for_each(|invariant| known.passed_by(invariant));
        if known.values == before {
            break;
        }
    }
    let found = model.globals.iter().zip(&known.values);
    let narrow = found.filter_map(|(global, values)| match values {
        Values::Within(lo, hi) => Some((global.name.clone(), (*lo, *hi))),
        _ => None,
    });
    narrow.collect()
}

/// The type of the elements of an array, of arrays of arrays, or the type itself.
fn leaf(network: &Network, ty: TypeId) -> TypeId {
    match network.model.types[ty].kind {
        TypeKind::Array { element, .. } => leaf(network, element),
        _ => ty,
    }
}

struct Known<'n> {
    network: &'n Network,
    /// By global variable.
    values: Vec<Values>,
}

impl Known<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    self.passed_by(value);
                    self.passed_by_place(place);
                    let values = self.of(value);
                    if let Some(global) = root(place) {
                        let known = &mut self.values[global.0 as usize];
                        *known = known.join(values);
                    }
                }
                StmtKind::Copy(to, from) => {
                    self.give_up(to);
                    self.give_up(from);
                }
                StmtKind::Undefine(place) | StmtKind::Clear(place) => self.give_up(place),
                StmtKind::If(branches, otherwise) => {
                    for (condition, body) in branches {
                        self.passed_by(condition);
                        self.block(body);
                    }
                    self.block(otherwise);
                }
                StmtKind::Switch(value, cases, otherwise) => {
                    self.passed_by(value);
                    for (values, body) in cases {
                        values.iter().for_each(|value| self.passed_by(value));
                        self.block(body);
                    }
                    self.block(otherwise);
                }
                StmtKind::For(each, body) => {
                    if let LoopRange::Span(from, to, by) = &each.range {
                        [Some(from), Some(to), by.as_ref()]
                            .into_iter()
                            .flatten()
                            .for_each(|e| self.passed_by(e));
                    }
                    self.block(body);
                }
                StmtKind::While(condition, body) => {
                    self.passed_by(condition);
                    self.block(body);
                }
                StmtKind::Call(call) => self.call(call),
                StmtKind::Alias(_, operand, body) => {
                    self.operand(operand);
                    self.block(body);
                }
                StmtKind::Return(Some(operand)) | StmtKind::Put(operand, _) => self.operand(operand),
                StmtKind::Assert(e, _) | StmtKind::Assume(e) | StmtKind::Cover(e, _) => self.passed_by(e),
                StmtKind::MultisetAdd(operand, place) => {
                    self.operand(operand);
                    self.give_up(place);
                }
                StmtKind::MultisetRemove(e, place) | StmtKind::MultisetRemovePred(_, place, e) => {
                    self.passed_by(e);
                    self.give_up(place);
                }
                StmtKind::Return(None) | StmtKind::PutText(_) | StmtKind::Error(_) => {}
            }
        }
    }

    /// The values of what is assigned.
    fn of(&self, value: &Expr) -> Values {
        match &value.kind {
            ExprKind::Const(value) => Values::Within(*value, *value),
            ExprKind::Cond(_, a, b) => self.of(a).join(self.of(b)),
            ExprKind::Read(place) => {
                let (lo, hi) = self.network.model.types.bounds(place.ty);
                match root(place).map(|global| self.values[global.0 as usize]) {
                    Some(known @ (Values::None | Values::Within(..))) => known,
                    _ if hi.saturating_sub(lo) < MOST_VALUES => Values::Within(lo, hi),
                    _ => Values::Any,
                }
            }
            _ => Values::Any,
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Value(value) => self.passed_by(value),
            Operand::Place(place) => self.give_up(place),
        }
    }

    fn call(&mut self, call: &Call) {
        for arg in &call.args {
            match arg {
                Arg::Value(value) => self.passed_by(value),
                Arg::Reference(place) => self.give_up(place),
                Arg::Undefined => {}
            }
        }
    }

    /// Anything may be assigned to a place, or its type must stay as it is.
    fn give_up(&mut self, place: &Place) {
        self.passed_by_place(place);
        if let Some(global) = root(place) {
            self.values[global.0 as usize] = Values::Any;
        }
    }

    /// Gives up what an expression passes by reference, or compares as a whole.
    fn passed_by(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.passed_by_place(place),
            ExprKind::Not(e)
            | ExprKind::Neg(e)
            | ExprKind::BitNot(e)
            | ExprKind::IsMember(e, _)
            | ExprKind::Convert(e)
            | ExprKind::Rotate(e, _)
            | ExprKind::Quantified(_, _, e) => self.passed_by(e),
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => [a, b].iter().for_each(|part| self.passed_by(part)),
            ExprKind::Cond(c, a, b) => [c, a, b].iter().for_each(|part| self.passed_by(part)),
            ExprKind::Same(a, b, _) => {
                self.give_up(a);
                self.give_up(b);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Count(_, place, e) => {
                self.passed_by_place(place);
                self.passed_by(e);
            }
        }
    }

    fn passed_by_place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => {}
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                self.passed_by_place(base);
                self.passed_by(index);
            }
            PlaceKind::Field(base, _) => self.passed_by_place(base),
            PlaceKind::Call(call) => self.call(call),
            PlaceKind::Cond(condition, a, b) => {
                self.passed_by(condition);
                self.give_up(a);
                self.give_up(b);
            }
        }
    }
}

/// The global variable that a place is in.
fn root(place: &Place) -> Option<GlobalId> {
    match &place.kind {
        PlaceKind::Global(global) => Some(*global),
        PlaceKind::Index(base, _) | PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => root(base),
        _ => None,
    }
}
