//! Conditions that do not depend on what they read.
//!
//! `if x = 0 | x != 0` is true for every value of `x`; replaced by `true`, the statement does not go wrong where `x` is
//! undefined. That is how rumur reads a model when it may simplify. Decided by trying all values of the cells that the
//! condition reads, if they are few.

use super::{
    Block, Expr, ExprKind, Frame, Interpreter, LocalId, Loop, LoopRange, PartMut, Place, PlaceKind,
    Semantics, Stmt, StmtKind, Storage,
};
use super::{Cell, TypeId, TypeKind, UNDEFINED};
use crate::Model;

/// The most combinations of values that are tried.
const MAX_COMBINATIONS: u64 = 256;

/// Memory as large as a state, kept from one condition to the next: there are many, and each needs a few cells only.
#[derive(Default)]
pub struct Scratch {
    /// Undefined throughout.
    memory: Vec<Cell>,
}

/// Replaces the conditions of `if` statements that have one value whatever their variables hold by that value.
pub fn simplify_conditions(model: &mut Model) {
    // What the conditions are judged by, apart from the bodies that change.
    let declared = Model {
        types: model.types.clone(),
        globals: model.globals.clone(),
        cells: model.cells,
        ..Model::default()
    };
    let mut scratch = Scratch::default();
    let functions = model.functions.iter_mut().map(|f| (&f.frame, &mut f.body));
    let rules = model.starts.iter_mut().chain(&mut model.rules).map(|r| (&r.frame, &mut r.body));
    for (frame, body) in functions.chain(rules) {
        simplify(&declared, frame, body, &mut scratch);
    }
}

fn simplify(model: &Model, frame: &Frame, block: &mut Block, scratch: &mut Scratch) {
    for stmt in block {
        PartMut::Stmt(stmt).each(&mut |part| {
            if let PartMut::Stmt(Stmt { kind: StmtKind::If(arms, _), .. }) = part {
                for (condition, _) in arms {
                    if let Some(value) = constant_condition(model, frame, condition, scratch) {
                        condition.kind = ExprKind::Const(i64::from(value));
                    }
                }
            }
        });
    }
}

/// The value that a condition has whatever (defined) values its variables have; `None` if it depends on them, or on
/// too many of them, or may go wrong.
pub fn constant_condition(
    model: &Model,
    frame: &Frame,
    condition: &Expr,
    scratch: &mut Scratch,
) -> Option<bool> {
    let mut reads = Reads { model, frame, bound: Vec::new(), cells: Vec::new(), combinations: 1 };
    reads.expr(condition)?;
    let cells = reads.cells;
    if cells.is_empty() {
        return None;
    }
    let memory = std::mem::take(&mut scratch.memory);
    let mut interpreter = Interpreter::with_memory(model, Semantics::default(), memory);
    interpreter.enter(frame);
    let constant = try_all(&mut interpreter, frame, condition, &cells);
    for cell in &cells {
        interpreter.poke(cell.address, UNDEFINED);
    }
    scratch.memory = interpreter.into_memory();
    constant
}

fn try_all(
    interpreter: &mut Interpreter<'_>,
    frame: &Frame,
    condition: &Expr,
    cells: &[Read],
) -> Option<bool> {
    let mut values: Vec<i64> = cells.iter().map(|cell| cell.lo).collect();
    let mut constant = None;
    loop {
        for (cell, value) in cells.iter().zip(&values) {
            interpreter.poke(cell.address, *value);
        }
        let value = interpreter.eval(frame, condition).ok()? != 0;
        if *constant.get_or_insert(value) != value {
            return None;
        }
        // The next combination, as an odometer counts.
        let Some(wheel) = cells.iter().zip(&values).position(|(cell, value)| *value < cell.hi) else {
            return constant;
        };
        values[wheel] += 1;
        for (cell, value) in cells.iter().zip(&mut values).take(wheel) {
            *value = cell.lo;
        }
    }
}

/// A cell that the condition reads.
struct Read {
    address: usize,
    lo: i64,
    hi: i64,
}

/// Collects the cells that an expression reads; `None` where that is not known beforehand, or they are too many.
struct Reads<'a> {
    model: &'a Model,
    frame: &'a Frame,
    /// Variables that the expression binds itself.
    bound: Vec<LocalId>,
    cells: Vec<Read>,
    combinations: u64,
}

impl Reads<'_> {
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Const(_) => Some(()),
            ExprKind::Read(place) => {
                if let PlaceKind::Local(local) = place.kind
                    && self.bound.contains(&local)
                {
                    return Some(());
                }
                let addresses = self.place(place)?;
                addresses.into_iter().try_for_each(|address| self.cell(address, place.ty))
            }
            ExprKind::Not(e) | ExprKind::Neg(e) | ExprKind::BitNot(e) => self.expr(e),
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c)?;
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Quantified(_, each, body) => {
                self.each(each)?;
                self.bound.push(each.local);
                self.expr(body)
            }
            ExprKind::IsMember(e, _) | ExprKind::Convert(e) | ExprKind::Rotate(e, _) => self.expr(e),
            ExprKind::Same(..) | ExprKind::Call(_) | ExprKind::IsUndefined(_) | ExprKind::Count(..) => None,
        }
    }

    fn each(&mut self, each: &Loop) -> Option<()> {
        match &each.range {
            LoopRange::Type(ty) => (self.model.types.size(*ty) <= MAX_COMBINATIONS).then_some(()),
            LoopRange::Span(from, to, by) => match (&from.kind, &to.kind, by.as_ref().map(|by| &by.kind)) {
                (ExprKind::Const(from), ExprKind::Const(to), None | Some(ExprKind::Const(_))) => {
                    (from.abs_diff(*to) <= MAX_COMBINATIONS).then_some(())
                }
                _ => None,
            },
        }
    }

    fn cell(&mut self, address: usize, ty: TypeId) -> Option<()> {
        if self.cells.iter().all(|cell| cell.address != address) {
            self.combinations = self.combinations.checked_mul(self.model.types.size(ty))?;
            if self.combinations > MAX_COMBINATIONS {
                return None;
            }
            let (lo, hi) = self.model.types.bounds(ty);
            self.cells.push(Read { address, lo, hi });
        }
        Some(())
    }

    /// The addresses that a place may have.
    fn place(&mut self, place: &Place) -> Option<Vec<usize>> {
        let types = &self.model.types;
        match &place.kind {
            PlaceKind::Global(global) => Some(vec![self.model.globals[global.0 as usize].offset as usize]),
            PlaceKind::Local(local) => {
                let local = &self.frame[*local];
                let address = (self.model.cells + local.offset) as usize;
                (local.storage == Storage::Value).then(|| vec![address])
            }
            PlaceKind::Field(base, field) => {
                let TypeKind::Record(fields) = &types[base.ty].kind else { return None };
                let offset = fields[*field as usize].offset as usize;
                Some(self.place(base)?.into_iter().map(|address| address + offset).collect())
            }
            PlaceKind::Index(base, index) => {
                let TypeKind::Array { index: index_type, element } = types[base.ty].kind else { return None };
                let (lo, hi) = types.bounds(index_type);
                let stride = types[element].cells as usize;
                let positions = match index.kind {
                    ExprKind::Const(value) if (lo..=hi).contains(&value) => value..=value,
                    ExprKind::Const(_) => return None,
                    _ if types.size(index_type) > MAX_COMBINATIONS => return None,
                    _ => lo..=hi,
                };
                self.expr(index)?;
                let bases = self.place(base)?;
                if bases.len() as u64 > MAX_COMBINATIONS {
                    return None;
                }
                let at = |base: usize, i: i64| base + (i - lo) as usize * stride;
                Some(bases.iter().flat_map(|base| positions.clone().map(move |i| at(*base, i))).collect())
            }
            PlaceKind::Slot(..) | PlaceKind::Call(_) | PlaceKind::Cond(..) => None,
        }
    }
}
