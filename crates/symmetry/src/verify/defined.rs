//! Parts of the state that always have a value, so that reading them cannot go wrong.
//!
//! A part is a global variable and the fields on the way to a simple value, whatever the indices. It counts if it has a
//! value in every start state (they are tried) and no statement may take it away: neither `undefine` nor a copy of
//! something that may be undefined. Indices are left out, so a permutation of elements changes nothing about this.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use burnside_model::Model;
use burnside_model::code::{
    Expr, ExprKind, Frame, GlobalId, LocalId, Part, Place, PlaceKind, Semantics, Stmt, StmtKind, Storage,
    TypeId, TypeKind, UNDEFINED,
};
use burnside_model::system::{Machine, Outcome, System};

use super::abstraction::{Loc, Root, Step};

/// With more start states nothing is known.
const MOST_STARTS: usize = 256;

/// A variable, and the fields on the way to a part of it.
type Path = (u32, Vec<u32>);

/// The parts that always have a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defined(BTreeSet<Path>);

impl Defined {
    pub fn new(model: &Model) -> Self {
        let mut defined = Defined(started(model).unwrap_or_default());
        let rules = model.rules.iter().map(|rule| (&rule.frame, &rule.body));
        let functions = model.functions.iter().map(|function| (&function.frame, &function.body));
        let bodies: Vec<_> = rules.chain(functions).collect();
        // What is lost may be what another part was copied from.
        loop {
            let before = defined.0.len();
            for (frame, body) in &bodies {
                for stmt in *body {
                    Part::Stmt(stmt).each(&mut |part| {
                        if let Part::Stmt(stmt) = part {
                            defined.execute(model, frame, stmt);
                        }
                    });
                }
            }
            if defined.0.len() == before {
                return defined;
            }
        }
    }

    /// Whether a simple value there is always defined.
    pub(super) fn has(&self, loc: &Loc) -> bool {
        let Root::Global(GlobalId(global)) = loc.root else { return false };
        let field = |step: &Step| match step {
            Step::Field(field) => Some(*field),
            _ => None,
        };
        self.0.contains(&(global, loc.path.iter().filter_map(field).collect()))
    }

    /// Whether a simple place is always defined.
    pub fn has_place(&self, place: &Place) -> bool {
        path(place).is_some_and(|path| self.0.contains(&path))
    }

    /// The parts of a variable that always have a value, by the fields on the way.
    pub fn parts_of(&self, global: u32) -> impl Iterator<Item = &[u32]> {
        self.0.iter().filter(move |(of, _)| *of == global).map(|(_, fields)| fields.as_slice())
    }

    fn execute(&mut self, model: &Model, frame: &Frame, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, value) if !self.value(value) => self.lose(model, frame, target),
            StmtKind::Undefine(target) => self.lose(model, frame, target),
            StmtKind::Copy(target, source) => {
                let from = path(source);
                let whole = from.is_some_and(|from| {
                    let mut parts = Vec::new();
                    leaves(model, source.ty, &mut Vec::new(), &mut parts);
                    parts.iter().all(|part| self.0.contains(&(from.0, [&from.1[..], part].concat())))
                });
                // A multiset in there has no part of its own.
                if !whole || model.types[source.ty].has_multiset {
                    self.lose(model, frame, target);
                }
            }
            _ => {}
        }
    }

    /// Whether a value is surely defined; what computes fails on an undefined value by itself.
    fn value(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Const(value) => *value != UNDEFINED,
            ExprKind::Read(place) => path(place).is_some_and(|path| self.0.contains(&path)),
            ExprKind::Cond(_, a, b) => self.value(a) && self.value(b),
            ExprKind::Convert(e) => self.value(e),
            ExprKind::Call(_) => false,
            _ => true,
        }
    }

    /// What is written there may become undefined.
    fn lose(&mut self, model: &Model, frame: &Frame, target: &Place) {
        match path(target) {
            Some((global, fields)) => {
                self.0.retain(|(other, path)| *other != global || !path.starts_with(&fields));
            }
            // Such as a message that is made in a local variable, which is no part of the state.
            None if local_of(target).is_some_and(|local| frame[local].storage == Storage::Value) => {}
            // Something behind a reference: anything of its type, or with such a part.
            None => {
                let simple = model.types.is_simple(target.ty);
                self.0.retain(|path| simple && !model.types.same(type_of(model, path), target.ty));
            }
        }
    }
}

/// A place that is a global variable or a part of one; not behind a reference, nor in a multiset.
fn path(place: &Place) -> Option<Path> {
    match &place.kind {
        PlaceKind::Global(global) => Some((global.0, Vec::new())),
        PlaceKind::Index(base, _) => path(base),
        PlaceKind::Field(base, field) => {
            let (global, mut fields) = path(base)?;
            fields.push(*field);
            Some((global, fields))
        }
        _ => None,
    }
}

/// The local that a place is a part of.
fn local_of(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Index(base, _) | PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => local_of(base),
        _ => None,
    }
}

/// The simple type of a part.
fn type_of(model: &Model, (global, fields): &Path) -> TypeId {
    let mut ty = model.globals[*global as usize].ty;
    let mut fields = fields.iter();
    loop {
        match &model.types[ty].kind {
            TypeKind::Array { element, .. } => ty = *element,
            TypeKind::Record(all) => match fields.next().and_then(|field| all.get(*field as usize)) {
                Some(field) => ty = field.ty,
                None => return ty,
            },
            _ => return ty,
        }
    }
}

/// The ways to the simple values in a type, but for those in multisets.
fn leaves(model: &Model, ty: TypeId, way: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    match &model.types[ty].kind {
        TypeKind::Array { element, .. } => leaves(model, *element, way, found),
        TypeKind::Record(fields) => {
            for (number, field) in (0..).zip(fields) {
                way.push(number);
                leaves(model, field.ty, way, found);
                way.pop();
            }
        }
        TypeKind::Multiset { .. } => {}
        _ => found.push(way.clone()),
    }
}

/// The parts that have a value in every start state; `None` if there are too many of them.
fn started(model: &Model) -> Option<BTreeSet<Path>> {
    let mut paths = Vec::with_capacity(model.cells as usize);
    for (number, global) in (0..).zip(&model.globals) {
        cells(model, global.ty, number, &mut Vec::new(), &mut paths);
    }
    let mut all: BTreeSet<Path> = paths.iter().flatten().cloned().collect();
    let (mut machine, mut states) = (Machine::new(model, Semantics::default()), 0);
    let ran = machine.initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            states += 1;
            for (value, path) in state.iter().zip(&paths) {
                if *value == UNDEFINED
                    && let Some(path) = path
                {
                    all.remove(path);
                }
            }
        }
        if states <= MOST_STARTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (ran.is_ok() && (1..=MOST_STARTS).contains(&states)).then_some(all)
}

/// The part that each cell belongs to, in the order of the state; none in multisets.
fn cells(model: &Model, ty: TypeId, global: u32, way: &mut Vec<u32>, paths: &mut Vec<Option<Path>>) {
    match &model.types[ty].kind {
        TypeKind::Array { index, element } => {
            for _ in 0..model.types.size(*index) {
                if model.types[*element].cells == 0 {
                    return;
                }
                cells(model, *element, global, way, paths);
            }
        }
        TypeKind::Record(fields) => {
            for (number, field) in (0..).zip(fields) {
                way.push(number);
                cells(model, field.ty, global, way, paths);
                way.pop();
            }
        }
        TypeKind::Multiset { .. } => {
            paths.extend(std::iter::repeat_n(None, model.types[ty].cells as usize));
        }
        _ => paths.push(Some((global, way.clone()))),
    }
}
