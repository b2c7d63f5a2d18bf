//! Expressions and places: what is an element of D, what an enclosing loop binds, what an array holds.

use burnside_model::code::{
    Arg, Call, Expr, ExprKind, LocalId, Operand, Part, Place, PlaceKind, Stmt, Storage,
};

use super::conditions::{Block, Sense};
use super::{Activation, Kind, Meaning, Spot, Walk};

/// Calls inside each other beyond which a model is outside.
const MOST_CALLS: usize = 64;

impl<'m> Walk<'m> {
    /// Looks at an expression; what its value is, if it is an element.
    pub fn expr(&mut self, at: &mut Activation<'m>, e: &'m Expr) -> Kind {
        match &e.kind {
            ExprKind::Const(_) => self.kind_of(e, Kind::Ground),
            ExprKind::Read(place) => {
                let spot = self.place(at, place);
                self.content(e, &spot)
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) => {
                self.value(at, a);
                Kind::Plain
            }
            ExprKind::Convert(a) => self.expr(at, a),
            ExprKind::Rotate(a, _) => {
                self.value(at, a);
                if !self.held(e.ty).is_empty() {
                    self.refuse(e.span, "this goes round a ring");
                }
                Kind::Plain
            }
            ExprKind::Arith(_, a, b) | ExprKind::Order(_, a, b) => {
                self.value(at, a);
                self.value(at, b);
                Kind::Plain
            }
            ExprKind::IsUndefined(place) => {
                self.place(at, place);
                Kind::Plain
            }
            ExprKind::IsMember(a, _) => {
                if self.expr(at, a) == Kind::Cell {
                    self.refuse(e.span, "`ismember` of an id that an array holds");
                }
                Kind::Plain
            }
            ExprKind::Cond(c, a, b) => {
                self.condition(at, c, Sense::Always, Block::None);
                let (a, b) = (self.expr(at, a), self.expr(at, b));
                join(a, b)
            }
            ExprKind::Call(call) => self.call(at, call, None),
            ExprKind::Count(_, set, _) => {
                self.refuse(set.span, "this counts the slots of a multiset");
                Kind::Plain
            }
            ExprKind::Not(_)
            | ExprKind::Logic(..)
            | ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Same(..)
            | ExprKind::Quantified(..) => {
                self.condition(at, e, Sense::Always, Block::None);
                Kind::Plain
            }
        }
    }

    /// Elements are as given; other values are plain.
    fn kind_of(&self, e: &Expr, kind: Kind) -> Kind {
        if self.held(e.ty).is_empty() { Kind::Plain } else { kind }
    }

    /// What a place that was found holds.
    fn content(&self, e: &Expr, spot: &Spot) -> Kind {
        let kind = match &spot.holds {
            Some(kind) => kind.clone(),
            None if spot.indices.is_empty() => Kind::Ground,
            None => Kind::Cell,
        };
        self.kind_of(e, kind)
    }

    pub fn place(&mut self, at: &mut Activation<'m>, place: &'m Place) -> Spot {
        match &place.kind {
            PlaceKind::Global(_) => Spot { indices: Vec::new(), local: None, holds: None },
            PlaceKind::Local(local) => match at.locals.get(local) {
                Some(Meaning::Place(spot)) => spot.clone(),
                Some(Meaning::Value(kind)) => {
                    Spot { indices: Vec::new(), local: Some(at.within), holds: Some(kind.clone()) }
                }
                // A variable of the body: whatever it holds was assigned, and so is an element of D.
                None => Spot { indices: Vec::new(), local: Some(at.within), holds: None },
            },
            PlaceKind::Field(base, _) => self.place(at, base),
            PlaceKind::Index(base, index) => {
                let mut spot = self.place(at, base);
                let kind = self.value(at, index);
                if kind != Kind::Plain {
                    spot.indices.push(kind);
                    spot.holds = None;
                }
                spot
            }
            PlaceKind::Slot(base, slot) => {
                self.value(at, slot);
                self.refuse(place.span, "this is a slot of a multiset");
                self.place(at, base)
            }
            PlaceKind::Call(call) => {
                self.call(at, call, None);
                Spot { indices: Vec::new(), local: Some(self.loops.len()), holds: None }
            }
            PlaceKind::Cond(c, a, b) => {
                self.condition(at, c, Sense::Always, Block::None);
                let (a, b) = (self.place(at, a), self.place(at, b));
                if a != b && !self.loops.is_empty() {
                    self.refuse(place.span, "a choice between places under a loop or quantifier");
                }
                let longer = if a.indices.len() < b.indices.len() { b } else { a };
                Spot { local: None, ..longer }
            }
        }
    }

    /// What an operand is, for an alias.
    pub fn operand(&mut self, at: &mut Activation<'m>, operand: &'m Operand) -> Meaning {
        match operand {
            Operand::Value(e) => Meaning::Value(self.value(at, e)),
            Operand::Place(place) => Meaning::Place(self.place(at, place)),
        }
    }

    /// Looks at a call: its arguments, and what the routine does with them.
    pub fn call(
        &mut self,
        at: &mut Activation<'m>,
        call: &'m Call,
        returned: Option<(Sense, Block)>,
    ) -> Kind {
        let function = &self.model.functions[call.function as usize];
        let mut inner = self.activation(&function.frame);
        for (i, arg) in (0..).zip(&call.args) {
            let local = burnside_model::code::LocalId(i);
            let meaning = match arg {
                Arg::Value(e) => Meaning::Value(self.value(at, e)),
                Arg::Reference(place) => Meaning::Place(self.place(at, place)),
                Arg::Undefined => continue,
            };
            let by_value = function.frame[local].storage == Storage::Value;
            match meaning {
                // A parameter that is assigned to holds an element of D, too, but not always the loop's.
                Meaning::Value(Kind::Bound(_)) if by_value && writes(&function.body, local) => {
                    inner.locals.insert(local, Meaning::Value(Kind::Ground));
                }
                meaning => drop(inner.locals.insert(local, meaning)),
            }
        }
        if self.depth >= MOST_CALLS {
            self.refuse(call.span, format!("`{}` calls itself", function.name));
            return Kind::Ground;
        }
        inner.returned = returned;
        self.depth += 1;
        self.block(&mut inner, &function.body);
        self.depth -= 1;
        inner.returns.unwrap_or(Kind::Plain)
    }
}

/// What one of two is.
pub(super) fn join(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Cell, _) | (_, Kind::Cell) => Kind::Cell,
        (a, b) if a == b => a,
        (Kind::Plain, other) | (other, Kind::Plain) => other,
        _ => Kind::Ground,
    }
}

/// Whether a routine assigns to its parameter.
fn writes(body: &[Stmt], local: LocalId) -> bool {
    let mut found = false;
    for stmt in body {
        Part::Stmt(stmt).targets(&mut |target| found |= target.kind == PlaceKind::Local(local));
    }
    found
}
