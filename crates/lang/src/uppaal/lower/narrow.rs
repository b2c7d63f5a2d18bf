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
    Arg, Expr, ExprKind, GlobalId, Operand, Part, Place, PlaceKind, StmtKind, TypeId, TypeKind,
};

/// Ranges with more values are not worth it.
const MOST_VALUES: i64 = 256;

/// What is known of the values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    None,
    /// From one to another.
    Within(i64, i64),
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
        model.code().into_iter().for_each(|part| known.learn(part));
        let locations = network.processes.iter().flat_map(|process| &process.locations);
        let invariants = locations.flat_map(|location| &location.invariant);
        invariants.for_each(|invariant| known.learn(Part::Expr(invariant)));
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
    /// Notes what a piece of code assigns. What it passes by reference, or copies or compares as a whole, is given up.
    fn learn(&mut self, part: Part<'_>) {
        part.each(&mut |part| match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    let values = self.of(value);
                    if let Some(global) = root(place) {
                        let known = &mut self.values[global.0 as usize];
                        *known = known.join(values);
                    }
                }
                StmtKind::Copy(one, other) => [one, other].iter().for_each(|place| self.give_up(place)),
                StmtKind::Undefine(place)
                | StmtKind::Clear(place)
                | StmtKind::MultisetRemove(_, place)
                | StmtKind::MultisetRemovePred(_, place, _)
                | StmtKind::Alias(_, Operand::Place(place), _)
                | StmtKind::Return(Some(Operand::Place(place)))
                | StmtKind::Put(Operand::Place(place), _) => self.give_up(place),
                StmtKind::MultisetAdd(operand, set) => {
                    self.give_up(set);
                    if let Operand::Place(place) = operand {
                        self.give_up(place);
                    }
                }
                _ => {}
            },
            Part::Expr(Expr { kind: ExprKind::Same(a, b, _), .. })
            | Part::Place(Place { kind: PlaceKind::Cond(_, a, b), .. }) => {
                [a, b].iter().for_each(|place| self.give_up(place));
            }
            Part::Call(call) => {
                for arg in &call.args {
                    if let Arg::Reference(place) = arg {
                        self.give_up(place);
                    }
                }
            }
            Part::Expr(_) | Part::Place(_) => {}
        });
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

    /// Anything may be assigned to a place, or its type must stay as it is.
    fn give_up(&mut self, place: &Place) {
        if let Some(global) = root(place) {
            self.values[global.0 as usize] = Values::Any;
        }
    }
}

/// The global variable that a place is in.
fn root(place: &Place) -> Option<GlobalId> {
    match place.root().kind {
        PlaceKind::Global(global) => Some(global),
        _ => None,
    }
}
