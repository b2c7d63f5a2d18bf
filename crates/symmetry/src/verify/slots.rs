//! Positions in multisets. Slots are sorted by content, so that the numbers of slots depend on the order of elements.
//!
//! A variable of `choose`, `multisetcount` or `multisetremovepred` may therefore select a slot, and be compared with
//! another such variable, but not be used as a value.
//!
//! A slot that `choose` bound stays the same element while the rule runs, unless slots are freed and filled again: a
//! new element goes to the first free slot, and which one of several that is depends on their order. Freeing the only
//! chosen slot and filling that is harmless, unless a loop over elements fills it: the first of them gets the slot.

use burnside_model::Span;
use burnside_model::code::{
    Expr, ExprKind, LocalId, LoopRange, Operand, Part, Place, PlaceKind, Stmt, StmtKind, TypeId, TypeKind,
};
use burnside_model::system::{Binder, Rule};

use super::{Body, Verifier};

/// What happens to the slots of a multiset, in the order of the text.
#[derive(Clone, Copy)]
enum Event {
    /// More than the one chosen slot may become free.
    Free,
    /// A free slot is filled.
    Fill,
    /// All slots are replaced.
    Replace,
    /// A slot is selected by its number.
    Select(Span),
}

impl<'m> Verifier<'m> {
    /// Refuses positions that are used as values.
    pub(super) fn check_slots(&mut self, body: &Body<'m>, part: Part<'m>) {
        const REASON: &str = "a position in a multiset is used as a value here: positions depend on";
        let is_slot = |e: &Expr| slot_variable(e).is_some_and(|local| body.slots.contains_key(&local));
        let selection = match part {
            Part::Place(Place { kind: PlaceKind::Slot(set, e), .. }) => Some((&**set, &**e)),
            Part::Stmt(Stmt { kind: StmtKind::MultisetRemove(e, set), .. }) => Some((set, e)),
            _ => None,
        };
        if let Some((set, e)) = selection {
            let bound = slot_variable(e).and_then(|local| body.slots.get(&local));
            if bound.is_none_or(|bound| !same_set(body, bound, set)) {
                self.refuse_all(e.span, REASON);
            }
            return;
        }
        if let Part::Expr(Expr { kind: ExprKind::Eq(a, b) | ExprKind::Ne(a, b), .. }) = part
            && is_slot(a)
            && is_slot(b)
        {
            return;
        }
        for inner in part.parts() {
            match inner {
                Part::Expr(e) if is_slot(e) => self.refuse_all(e.span, REASON),
                // A reference to the variable itself.
                Part::Place(place) if !matches!(part, Part::Expr(Expr { kind: ExprKind::Read(_), .. })) => {
                    if matches!(place.kind, PlaceKind::Local(local) if body.slots.contains_key(&local)) {
                        self.refuse_all(place.span, REASON);
                    }
                }
                _ => {}
            }
        }
    }

    /// Refuses the use of a chosen slot after other slots were freed and filled.
    pub(super) fn check_stale_slots(&mut self, rule: &'m Rule) {
        let chosen: Vec<TypeId> = rule
            .binders
            .iter()
            .filter_map(|binder| match binder {
                Binder::Choose(_, set) => Some(set.ty),
                _ => None,
            })
            .collect();
        for ty in &chosen {
            let several = chosen.iter().filter(|other| self.model.types.same(*ty, **other)).count() > 1;
            let mut scan =
                Scan { verifier: self, ty: *ty, several, removed: false, loops: 0, events: Vec::new() };
            for stmt in &rule.body {
                scan.part(Part::Stmt(stmt));
            }
            let mut events = scan.events;
            // A reference to a slot may be used at any time.
            if let Some(span) = self.refers_to_slot(rule) {
                events.push(Event::Select(span));
            }
            if let Some(span) = stale(&events) {
                let reason = "slots of this multiset were emptied and filled before: which element is in this one depends on";
                self.refuse_all(span, reason);
            }
        }
    }

    /// A reference to (a part of) a slot, in the rule's aliases or as an argument.
    fn refers_to_slot(&self, rule: &'m Rule) -> Option<Span> {
        let slot = |place: &Place| {
            let mut found = None;
            Part::Place(place).each(&mut |part| {
                if let Part::Place(Place { kind: PlaceKind::Slot(..), span, .. }) = part {
                    found.get_or_insert(*span);
                }
            });
            found
        };
        let mut found = rule.binders.iter().find_map(|binder| match binder {
            Binder::Alias(_, Operand::Place(place)) => slot(place),
            _ => None,
        });
        for stmt in &rule.body {
            Part::Stmt(stmt).each(&mut |part| {
                let place = match part {
                    Part::Stmt(Stmt { kind: StmtKind::Alias(_, Operand::Place(place), _), .. }) => {
                        Some(place)
                    }
                    _ => None,
                };
                let references = match part {
                    Part::Call(_) => part.parts(),
                    _ => Vec::new(),
                };
                let args = references.into_iter().filter_map(|part| match part {
                    Part::Place(place) => Some(place),
                    _ => None,
                });
                for place in place.into_iter().chain(args) {
                    found = found.or_else(|| slot(place));
                }
            });
        }
        found
    }
}

/// Whether two places are surely one multiset all the time.
fn same_set(body: &Body<'_>, a: &Place, b: &Place) -> bool {
    let text = fixed(body, a);
    text.is_some() && text == fixed(body, b)
}

/// The text of a place that does not change while the body runs, aliases expanded.
fn fixed(body: &Body<'_>, place: &Place) -> Option<String> {
    match &place.kind {
        PlaceKind::Global(global) => Some(format!("g{}", global.0)),
        PlaceKind::Local(local) => match body.aliases.get(local) {
            Some(Operand::Place(target)) => fixed(body, target).or(Some(format!("l{}", local.0))),
            _ => Some(format!("l{}", local.0)),
        },
        PlaceKind::Field(base, field) => Some(format!("{}.{field}", fixed(body, base)?)),
        PlaceKind::Index(base, index) => {
            Some(format!("{}[{}]", fixed(body, base)?, fixed_value(body, index)?))
        }
        PlaceKind::Slot(..) | PlaceKind::Call(_) | PlaceKind::Cond(..) => None,
    }
}

/// The text of a value that does not change: a constant, or a variable that only a binder assigns.
fn fixed_value(body: &Body<'_>, e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Const(value) => Some(value.to_string()),
        ExprKind::Convert(e) => fixed_value(body, e),
        _ => slot_variable(e).filter(|local| body.bound.contains(local)).map(|local| format!("l{}", local.0)),
    }
}

/// The variable that an expression reads, if that is all it does.
fn slot_variable(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Read(Place { kind: PlaceKind::Local(local), .. }) => Some(*local),
        _ => None,
    }
}

/// The first selection after several slots were freed and one filled, or after all were replaced.
fn stale(events: &[Event]) -> Option<Span> {
    let (mut freed, mut moved) = (false, false);
    for event in events {
        match event {
            Event::Free => freed = true,
            Event::Fill => moved |= freed,
            Event::Replace => moved = true,
            Event::Select(span) if moved => return Some(*span),
            Event::Select(_) => {}
        }
    }
    None
}

/// Lists what happens to the slots of the multisets of one type.
struct Scan<'a, 'm> {
    verifier: &'a Verifier<'m>,
    ty: TypeId,
    /// Whether several slots are chosen.
    several: bool,
    /// Whether a slot was freed by its number before.
    removed: bool,
    /// How many loops and quantifiers over elements are around.
    loops: u32,
    events: Vec<Event>,
}

impl<'m> Scan<'_, 'm> {
    fn part(&mut self, part: Part<'m>) {
        let looping = matches!(part, Part::Stmt(Stmt { kind: StmtKind::For(..) | StmtKind::While(..), .. }));
        let over_elements = u32::from(self.over_elements(part));
        self.loops += over_elements;
        for _ in 0..if looping || over_elements > 0 { 2 } else { 1 } {
            for inner in part.parts() {
                self.part(inner);
            }
        }
        self.loops -= over_elements;
        match part {
            Part::Stmt(stmt) => self.statement(stmt),
            Part::Place(Place { kind: PlaceKind::Slot(set, _), span, .. }) if self.holds(set.ty) => {
                self.events.push(Event::Select(*span));
            }
            Part::Call(call) => self.call(call.function),
            _ => {}
        }
    }

    fn statement(&mut self, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::MultisetAdd(_, set) if self.holds(set.ty) => {
                if self.removed && self.loops > 0 {
                    self.events.push(Event::Free);
                }
                self.events.push(Event::Fill);
            }
            StmtKind::MultisetRemove(_, set) if self.holds(set.ty) => {
                self.events.push(Event::Select(stmt.span));
                self.removed = true;
                if self.several {
                    self.events.push(Event::Free);
                }
            }
            StmtKind::MultisetRemovePred(_, target, _)
            | StmtKind::Undefine(target)
            | StmtKind::Clear(target)
                if self.holds(target.ty) =>
            {
                self.events.push(Event::Free);
            }
            StmtKind::Copy(target, _) if self.holds(target.ty) => self.events.push(Event::Replace),
            _ => {}
        }
    }

    /// Whether this is a loop or quantifier over elements of a symmetry domain.
    fn over_elements(&self, part: Part<'m>) -> bool {
        let each = match part {
            Part::Stmt(Stmt { kind: StmtKind::For(each, _), .. }) => each,
            Part::Expr(Expr { kind: ExprKind::Quantified(_, each, _), .. }) => each,
            _ => return false,
        };
        matches!(each.range, LoopRange::Type(ty) if !self.verifier.model.types.domains_of(ty).is_empty())
    }

    /// The events of a function and of all that it calls, at worst; it cannot select chosen slots.
    fn call(&mut self, index: u32) {
        let functions = &self.verifier.model.functions;
        let (mut reached, mut next) = (vec![index], 0);
        let first = self.events.len();
        let loops = self.loops;
        while let Some(function) = reached.get(next).and_then(|index| functions.get(*index as usize)) {
            next += 1;
            for stmt in &function.body {
                Part::Stmt(stmt).each(&mut |part| {
                    // Whatever comes after a loop may be inside it, and what comes before may be called from it.
                    self.loops += u32::from(self.over_elements(part));
                    match part {
                        Part::Stmt(stmt) => self.statement(stmt),
                        Part::Call(call) if !reached.contains(&call.function) => reached.push(call.function),
                        _ => {}
                    }
                });
            }
        }
        let looped = self.loops > 0 && self.removed;
        self.loops = loops;
        let has = |kind: fn(&Event) -> bool| self.events[first..].iter().any(kind);
        let fill = has(|e| matches!(e, Event::Fill));
        let free = has(|e| matches!(e, Event::Free)) || (fill && looped);
        let replace = has(|e| matches!(e, Event::Replace));
        self.events.truncate(first);
        let worst = [(free, Event::Free), (fill, Event::Fill), (replace, Event::Replace)];
        self.events.extend(worst.into_iter().filter(|(has, _)| *has).map(|(_, event)| event));
    }

    /// Whether such a multiset is in a value of this type.
    fn holds(&self, ty: TypeId) -> bool {
        let types = &self.verifier.model.types;
        types[ty].has_multiset
            && (types.same(ty, self.ty)
                || match &types[ty].kind {
                    TypeKind::Array { element, .. } => self.holds(*element),
                    TypeKind::Record(fields) => fields.iter().any(|field| self.holds(field.ty)),
                    _ => false,
                })
    }
}
