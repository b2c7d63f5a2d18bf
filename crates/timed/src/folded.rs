//! Guards and updates of one instance of an edge, folded: parameters, constants and the places of array elements are
//! known, so that little more than comparisons of cells is left.
//!
//! A folded form gives the same as the interpreter or nothing: where something goes wrong, or a value is undefined, the
//! interpreter is asked, and says what. What cannot be folded (calls, loops, aggregates, clocks that are read) has no
//! folded form.

use burnside_model::Network;
use burnside_model::code::{
    ArithOp, Cell, Expr, ExprKind, Frame, LocalId, LogicOp, LoopRange, OrderOp, Place, PlaceKind, Quantifier,
    Stmt, StmtKind, Storage, TypeId, TypeKind, UNDEFINED,
};

use crate::conditions::Clocks;

/// How many instances of a quantifier are folded.
const MOST_INSTANCES: i64 = 256;

/// A folded expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Folded {
    /// A value.
    Const(Cell),
    /// The value of a cell.
    At(u32),
    /// The value of an element of an array.
    Element(Box<Element>),
    /// Whether a cell has a value, or (if `false`) has another one.
    Is(u32, Cell, bool),
    /// `!e`
    Not(Box<Folded>),
    /// Arithmetic.
    Arith(ArithOp, Box<[Folded; 2]>),
    /// Order.
    Order(OrderOp, Box<[Folded; 2]>),
    /// `a == b`, or (if `false`) `a != b`.
    Equal(Box<[Folded; 2]>, bool),
    /// Connectives.
    Logic(LogicOp, Box<[Folded; 2]>),
    /// `c ? a : b`
    Cond(Box<[Folded; 3]>),
    /// Whether all of these hold, or (if `false`) some; all are evaluated if the last is `true`.
    All(Box<[Folded]>, bool, bool),
}

/// The address of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    base: u32,
    /// Each index with its bounds, and how many cells its elements take.
    indices: Vec<(Folded, Cell, Cell, u32)>,
}

impl Element {
    fn address(&self, state: &[Cell]) -> Option<usize> {
        let mut address = self.base as usize;
        for (index, lo, hi, cells) in &self.indices {
            let value = index.value(state).filter(|value| (lo..=hi).contains(&value))?;
            address += (value - lo) as usize * *cells as usize;
        }
        Some(address)
    }
}

impl Folded {
    /// The value in a state; nothing where the interpreter is to be asked.
    pub fn value(&self, state: &[Cell]) -> Option<Cell> {
        match self {
            Folded::Const(value) => Some(*value),
            Folded::At(cell) => defined(state[*cell as usize]),
            Folded::Element(element) => defined(state[element.address(state)?]),
            Folded::Is(cell, value, equal) => {
                Some(Cell::from((defined(state[*cell as usize])? == *value) == *equal))
            }
            Folded::Not(e) => Some(Cell::from(e.value(state)? == 0)),
            Folded::Arith(op, both) => op.apply(both[0].value(state)?, both[1].value(state)?),
            Folded::Order(op, both) => Some(op.apply(both[0].value(state)?, both[1].value(state)?).into()),
            Folded::Equal(both, equal) => {
                Some(Cell::from((both[0].value(state)? == both[1].value(state)?) == *equal))
            }
            Folded::Logic(op, both) => {
                let first = both[0].value(state)? != 0;
                let decided = match op {
                    LogicOp::And => (!first).then_some(false),
                    LogicOp::Or => first.then_some(true),
                    LogicOp::Implies => (!first).then_some(true),
                };
                match decided {
                    Some(value) => Some(value.into()),
                    None => Some(Cell::from(both[1].value(state)? != 0)),
                }
            }
            Folded::Cond(parts) => parts[if parts[0].value(state)? != 0 { 1 } else { 2 }].value(state),
            Folded::All(parts, all, whole) => {
                let mut decided = false;
                for part in parts {
                    decided |= (part.value(state)? != 0) != *all;
                    if decided && !whole {
                        break;
                    }
                }
                Some(Cell::from(decided != *all))
            }
        }
    }
}

fn defined(value: Cell) -> Option<Cell> {
    (value != UNDEFINED).then_some(value)
}

/// A folded assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// To a cell or an element, within bounds.
    Cell(Element, Folded, Cell, Cell),
    /// To a clock.
    Clock(usize, Folded, Cell),
    /// One of two blocks.
    If(Folded, Vec<Write>, Vec<Write>),
}

impl Write {
    /// Carries it out; nothing where the interpreter is to do so, from the state before all of them.
    pub fn carry_out(&self, state: &mut [Cell], resets: &mut Vec<(usize, i32)>) -> Option<()> {
        match self {
            Write::Cell(target, value, lo, hi) => {
                let value = value.value(state).filter(|value| (lo..=hi).contains(&value))?;
                state[target.address(state)?] = value;
            }
            Write::Clock(clock, value, hi) => {
                // Within the range of a clock.
                let value = value.value(state).filter(|value| (0..=*hi).contains(value))? as i32;
                match resets.iter_mut().find(|(set, _)| set == clock) {
                    Some(known) => known.1 = value,
                    None => resets.push((*clock, value)),
                }
            }
            Write::If(condition, then, or_else) => {
                let chosen = if condition.value(state)? != 0 { then } else { or_else };
                for write in chosen {
                    write.carry_out(state, resets)?;
                }
            }
        }
        Some(())
    }
}

/// What is known where code is folded.
pub struct Folder<'f> {
    /// The network.
    pub network: &'f Network,
    /// Its clocks.
    pub clocks: &'f Clocks,
    /// The first state, which has the values of constants.
    pub start: &'f [Cell],
    /// The locals of the code.
    pub frame: &'f Frame,
    /// The values of its locals, by number, as far as they are known.
    pub known: Vec<Option<Cell>>,
}

impl Folder<'_> {
    pub fn expr(&mut self, expr: &Expr) -> Option<Folded> {
        Some(match &expr.kind {
            ExprKind::Const(value) => Folded::Const(*value),
            ExprKind::Read(place) => self.read(place)?,
            ExprKind::Not(e) => constant(Folded::Not(Box::new(self.expr(e)?)))?,
            ExprKind::Neg(e) => {
                let both = [Folded::Const(0), self.expr(e)?];
                constant(Folded::Arith(ArithOp::Sub, Box::new(both)))?
            }
            ExprKind::Arith(op, a, b) => constant(Folded::Arith(*op, self.both(a, b)?))?,
            ExprKind::Order(op, a, b) => constant(Folded::Order(*op, self.both(a, b)?))?,
            ExprKind::Eq(a, b) => self.equal(a, b, true)?,
            ExprKind::Ne(a, b) => self.equal(a, b, false)?,
            ExprKind::Logic(op, a, b) => {
                let first = self.expr(a)?;
                if let Folded::Const(value) = first {
                    let decided = match op {
                        LogicOp::And => value == 0,
                        LogicOp::Or => value != 0,
                        LogicOp::Implies => value == 0,
                    };
                    if decided {
                        return Some(Folded::Const(Cell::from(*op != LogicOp::And)));
                    }
                }
                Folded::Logic(*op, Box::new([first, self.expr(b)?]))
            }
            ExprKind::Cond(c, a, b) => match self.expr(c)? {
                Folded::Const(value) => self.expr(if value != 0 { a } else { b })?,
                condition => Folded::Cond(Box::new([condition, self.expr(a)?, self.expr(b)?])),
            },
            ExprKind::Quantified(quantifier, each, body) => {
                self.quantified(*quantifier, each.local, &each.range, body)?
            }
            _ => return None,
        })
    }

    fn both(&mut self, a: &Expr, b: &Expr) -> Option<Box<[Folded; 2]>> {
        Some(Box::new([self.expr(a)?, self.expr(b)?]))
    }

    fn equal(&mut self, a: &Expr, b: &Expr, equal: bool) -> Option<Folded> {
        constant(match *self.both(a, b)? {
            [Folded::At(cell), Folded::Const(value)] | [Folded::Const(value), Folded::At(cell)] => {
                Folded::Is(cell, value, equal)
            }
            both => Folded::Equal(Box::new(both), equal),
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        range: &LoopRange,
        body: &Expr,
    ) -> Option<Folded> {
        let types = &self.network.model.types;
        let (lo, hi, whole) = match range {
            LoopRange::Type(ty) => {
                let (lo, hi) = types.bounds(*ty);
                (lo, hi, !types.domains_of(*ty).is_empty())
            }
            LoopRange::Span(from, to, None) => match (self.expr(from)?, self.expr(to)?) {
                (Folded::Const(from), Folded::Const(to)) => (from, to, false),
                _ => return None,
            },
            LoopRange::Span(..) => return None,
        };
        if hi.checked_sub(lo)? >= MOST_INSTANCES {
            return None;
        }
        let at = local.0 as usize;
        self.known.resize(self.known.len().max(at + 1), None);
        let mut parts = Vec::new();
        for value in lo..=hi {
            self.known[at] = Some(value);
            let part = self.expr(body);
            self.known[at] = None;
            parts.push(part?);
        }
        Some(Folded::All(parts.into(), quantifier == Quantifier::Forall, whole))
    }

    fn read(&mut self, place: &Place) -> Option<Folded> {
        if let PlaceKind::Local(local) = place.kind {
            let known = self.known.get(local.0 as usize).copied().flatten();
            let simple = self.frame[local].storage == Storage::Value;
            return known.filter(|_| simple).and_then(defined).map(Folded::Const);
        }
        if Some(place.ty) == self.network.clock {
            return None;
        }
        let element = self.place(place)?;
        if !element.indices.is_empty() {
            return Some(Folded::Element(Box::new(element)));
        }
        if self.network.constant.binary_search(&element.base).is_ok() {
            return defined(self.start[element.base as usize]).map(Folded::Const);
        }
        Some(Folded::At(element.base))
    }

    pub fn place(&mut self, place: &Place) -> Option<Element> {
        let types = &self.network.model.types;
        match &place.kind {
            PlaceKind::Global(global) => {
                let base = self.network.model.globals[global.0 as usize].offset;
                Some(Element { base, indices: Vec::new() })
            }
            PlaceKind::Index(base, index) => {
                let mut element = self.place(base)?;
                let TypeKind::Array { index: by, element: inner } = types[base.ty].kind else { return None };
                let ((lo, hi), cells) = (types.bounds(by), types[inner].cells);
                match self.expr(index)? {
                    Folded::Const(value) if !(lo..=hi).contains(&value) => return None,
                    Folded::Const(value) => element.base += (value - lo) as u32 * cells,
                    index => element.indices.push((index, lo, hi, cells)),
                }
                Some(element)
            }
            PlaceKind::Field(base, field) => {
                let mut element = self.place(base)?;
                let TypeKind::Record(fields) = &types[base.ty].kind else { return None };
                element.base += fields[*field as usize].offset;
                Some(element)
            }
            _ => None,
        }
    }

    /// The address of a place that is known.
    pub fn address(&mut self, place: &Place) -> Option<usize> {
        self.place(place).filter(|element| element.indices.is_empty()).map(|element| element.base as usize)
    }

    pub fn block(&mut self, block: &[Stmt]) -> Option<Vec<Write>> {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Write> {
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let value = self.expr(value)?;
                self.assignment(target, value)
            }
            StmtKind::If(branches, or_else) => {
                let mut rest = self.block(or_else)?;
                for (condition, then) in branches.iter().rev() {
                    rest = vec![Write::If(self.expr(condition)?, self.block(then)?, rest)];
                }
                rest.pop().filter(|_| !branches.is_empty())
            }
            _ => None,
        }
    }

    fn assignment(&mut self, target: &Place, value: Folded) -> Option<Write> {
        if matches!(target.kind, PlaceKind::Local(_)) {
            return None;
        }
        let (lo, hi) = self.network.model.types.bounds(target.ty);
        if self.is_clock(target.ty) {
            let clock = self.address(target).map(|cell| self.clocks.at(cell))?;
            return Some(Write::Clock(clock, value, hi));
        }
        Some(Write::Cell(self.place(target)?, value, lo, hi))
    }

    fn is_clock(&self, ty: TypeId) -> bool {
        Some(ty) == self.network.clock
    }
}

/// The value of an operation on constants, if it is one; where that goes wrong, the interpreter is to say so.
fn constant(folded: Folded) -> Option<Folded> {
    let known = |part: &Folded| matches!(part, Folded::Const(_));
    let all = match &folded {
        Folded::Not(e) => known(e),
        Folded::Arith(_, both) | Folded::Order(_, both) | Folded::Equal(both, _) => both.iter().all(known),
        _ => false,
    };
    if all { folded.value(&[]).map(Folded::Const) } else { Some(folded) }
}
