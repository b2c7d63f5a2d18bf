//! What one iteration of a loop does, by abstract interpretation: which locations it reads and writes, and how.
//!
//! Calls are followed into the callee with what is known of their arguments; a callee's own locals are fresh in every
//! iteration, so they are tracked but not recorded. Inner loops are interpreted until nothing new is learnt. This file
//! keeps what is known and recorded; the statements are in [`super::execute`], the rest in [`super::evaluate`].

use std::collections::HashSet;

use burnside_model::Model;
use burnside_model::Span;
use burnside_model::code::{
    Expr, ExprKind, Frame, LocalId, Part, Place, PlaceKind, Storage, TypeId, TypeKind,
};

use super::Body;
use super::abstraction::{Held, Loc, Root, State, Step, Target, Val, join};
use super::defined::Defined;

/// Bodies with this number or a greater one are callees within the iteration.
pub(super) const FRESH: u32 = 1 << 30;

/// Statements and expressions to interpret before giving up.
const FUEL: u32 = 1_000_000;

/// How a location is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    Read,
    /// It becomes this.
    Write(Val),
    /// Something not negative is added.
    Up,
    /// Something not positive is added.
    Down,
    /// `x := x | e`
    Or,
    /// `x := x & e`
    And,
    /// An element is added to the multiset.
    Insert,
}

/// One use of one location.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub loc: Loc,
    pub how: Use,
    /// The statement, or the expression that reads.
    pub span: Span,
    /// The place as written.
    pub name: String,
}

/// What an iteration may do.
#[derive(Default)]
pub(super) struct Found {
    /// Uses of everything that outlives the iteration.
    pub accesses: Vec<Access>,
    /// Where it leaves the loop, and with what.
    pub returns: Vec<(Val, Span)>,
    /// An `assume`.
    pub assume: Option<Span>,
    /// A `cover`.
    pub cover: Option<Span>,
    /// Something that may go wrong at run time.
    pub fault: Option<Span>,
    /// Why the analysis does not know.
    pub gave_up: Option<(Span, &'static str)>,
    /// Parts of the home frame's locals, by the fields on the way, that are read before they are surely assigned.
    pub exposed: HashSet<(LocalId, Vec<u32>)>,
}

impl Found {
    /// Whether a local may be read with the value that another iteration gave it.
    pub fn exposes(&self, local: LocalId) -> bool {
        let overlap = |written: &[Step], read: &[u32]| {
            written.iter().zip(read).all(|steps| !matches!(steps, (Step::Field(a), b) if a != b))
        };
        let written = |access: &&Access| {
            access.how != Use::Read
                && matches!(access.loc.root, Root::Local(owner, of) if owner < FRESH && of == local)
        };
        let writes: Vec<&Access> = self.accesses.iter().filter(written).collect();
        let mut reads = self.exposed.iter().filter(|(of, _)| *of == local);
        reads.any(|(_, read)| writes.iter().any(|write| overlap(&write.loc.path, read)))
    }
}

/// A frame that is being interpreted.
pub(super) struct Scope<'m> {
    pub frame: &'m Frame,
    pub owner: u32,
    /// What is known where it returns.
    pub returned: Option<State>,
    pub result: Option<Val>,
}

/// The abstract interpreter.
pub(super) struct Collector<'m> {
    pub model: &'m Model,
    /// The body with the loop.
    pub home: &'m Body<'m>,
    /// Locals of the home frame that the loop writes.
    written: HashSet<LocalId>,
    /// The home frame, then those of callees.
    pub scopes: Vec<Scope<'m>>,
    /// Functions being interpreted.
    pub active: Vec<u32>,
    /// The number of the next callee.
    pub next_owner: u32,
    /// What is known; nothing if this point is not reached.
    pub state: Option<State>,
    /// Locals that always have a value of their type.
    pub bound: HashSet<(u32, LocalId)>,
    /// Locals whose value was not checked against their type.
    pub unchecked: HashSet<(u32, LocalId)>,
    /// Parts of the state that always have a value, if they are known.
    pub defined: Option<&'m Defined>,
    /// The multiset whose entries of this iteration are looked at, and their key.
    pub own: Option<(Target, Vec<u32>)>,
    recorded: HashSet<(Loc, Use)>,
    fuel: u32,
    pub found: Found,
}

impl<'m> Collector<'m> {
    /// Before an iteration of a loop of this body; `references` says where the references in scope lead.
    pub fn new(
        model: &'m Model,
        home: &'m Body<'m>,
        references: &[(LocalId, Vec<Loc>)],
        iteration: &[Part<'m>],
    ) -> Self {
        let mut written = HashSet::new();
        for part in iteration {
            part.targets(&mut |place| {
                let locals = place.root_locals().into_iter();
                written.extend(locals.filter(|local| home.frame[*local].storage == Storage::Value));
            });
        }
        let mut state = State::default();
        for (local, locs) in references {
            let target = Target { locs: locs.clone(), text: Some(format!("r{}", local.0)) };
            state.locals.insert((home.owner, local.0), Held::Reference(target));
        }
        let scope = Scope { frame: home.frame, owner: home.owner, returned: None, result: None };
        Collector {
            model,
            home,
            written,
            scopes: vec![scope],
            active: Vec::new(),
            next_owner: FRESH,
            state: Some(state),
            bound: home.bound.iter().map(|local| (home.owner, *local)).collect(),
            unchecked: home.aliases.keys().map(|local| (home.owner, *local)).collect(),
            defined: None,
            own: None,
            recorded: HashSet::new(),
            fuel: FUEL,
            found: Found::default(),
        }
    }

    /// The frame being interpreted and its body's number.
    pub fn here(&self) -> (&'m Frame, u32) {
        self.scopes.last().map_or((self.home.frame, self.home.owner), |scope| (scope.frame, scope.owner))
    }

    pub fn give_up(&mut self, span: Span, why: &'static str) {
        self.found.gave_up.get_or_insert((span, why));
    }

    pub fn may_fault(&mut self, span: Span) {
        self.found.fault.get_or_insert(span);
    }

    /// Counts a step of the interpretation.
    pub fn burn(&mut self, span: Span) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            self.give_up(span, "what this loop does is too much to analyse");
        }
        self.fuel > 0
    }

    /// Binds a local of the current frame.
    pub fn bind(&mut self, local: LocalId, held: Held) {
        let (_, owner) = self.here();
        if let Some(state) = &mut self.state {
            state.locals.insert((owner, local.0), held);
            if owner == self.home.owner {
                state.assigned.insert((local.0, Vec::new()));
            }
        }
    }

    /// Binds the variable of a loop or quantifier.
    pub fn bind_variable(&mut self, local: LocalId, value: Val) {
        let (_, owner) = self.here();
        self.bound.insert((owner, local));
        self.bind(local, Held::Value(value));
    }

    /// What a simple local holds.
    pub fn held(&self, owner: u32, local: LocalId) -> Val {
        match self.state.as_ref().and_then(|state| state.locals.get(&(owner, local.0))) {
            Some(Held::Value(value)) => value.clone(),
            _ => self.home_text(owner, local).map_or(Val::Vary, Val::Same),
        }
    }

    /// The text of a home local that the loop does not write.
    pub fn home_text(&self, owner: u32, local: LocalId) -> Option<String> {
        (owner == self.home.owner && !self.written.contains(&local)).then(|| format!("l{}", local.0))
    }

    /// Interprets something that may or may not happen.
    pub fn maybe<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.clone();
        let result = run(self);
        self.state = join(before, self.state.take());
        result
    }

    /// Interprets something that may happen any number of times.
    pub fn repeat(&mut self, span: Span, mut run: impl FnMut(&mut Self)) {
        for _ in 0..32 {
            let before = self.state.clone();
            run(self);
            self.state = join(before.clone(), self.state.take());
            if self.state == before {
                return;
            }
        }
        self.give_up(span, "what this loop does is too much to analyse");
    }

    pub fn record(&mut self, target: &Target, how: Use, span: Span, name: &Place) {
        for loc in &target.locs {
            match loc.root {
                Root::Temporary => continue,
                Root::Local(owner, _) if owner >= FRESH => continue,
                Root::Local(owner, local) if owner == self.home.owner && !matches!(how, Use::Write(_)) => {
                    self.check_assigned(local, loc);
                }
                _ => {}
            }
            if self.recorded.insert((loc.clone(), how.clone())) {
                let name = self.name(name);
                self.found.accesses.push(Access { loc: loc.clone(), how: how.clone(), span, name });
            }
        }
    }

    /// Notes a home local that is read where it may still have the value of an earlier iteration.
    fn check_assigned(&mut self, local: LocalId, loc: &Loc) {
        let field = |step: &Step| match step {
            Step::Field(field) => Some(*field),
            _ => None,
        };
        let fields: Vec<u32> = loc.path.iter().map_while(field).collect();
        let ty =
            fields.iter().try_fold(self.home.frame[local].ty, |ty, field| match &self.model.types[ty].kind {
                TypeKind::Record(all) => all.get(*field as usize).map(|field| field.ty),
                _ => None,
            });
        match ty {
            Some(ty) => self.expose(local, &fields, ty),
            None => drop(self.found.exposed.insert((local, Vec::new()))),
        }
    }

    /// Notes the parts of this part of a home local that were not surely assigned in this iteration.
    fn expose(&mut self, local: LocalId, path: &[u32], ty: TypeId) {
        let Some(state) = &self.state else { return };
        if (0..=path.len()).any(|n| state.assigned.contains(&(local.0, path[..n].to_vec()))) {
            return;
        }
        let model = self.model;
        let TypeKind::Record(fields) = &model.types[ty].kind else {
            self.found.exposed.insert((local, path.to_vec()));
            return;
        };
        for (i, field) in (0..).zip(fields) {
            let path: Vec<u32> = path.iter().copied().chain([i]).collect();
            self.expose(local, &path, field.ty);
        }
    }

    /// Notes what locals hold after a write.
    pub fn store(&mut self, target: &Target, value: Val) {
        let (home, surely) = (self.home.owner, target.locs.len() == 1);
        let Some(state) = &mut self.state else { return };
        for loc in &target.locs {
            let Root::Local(owner, local) = loc.root else { continue };
            let whole = surely && loc.path.is_empty();
            let held = if whole { value.clone() } else { Val::Vary };
            state.locals.insert((owner, local.0), Held::Value(held));
            if owner == home
                && surely
                && let Some(fields) = loc.fields()
            {
                state.assigned.insert((local.0, fields));
            }
        }
    }

    /// A place as a person would write it.
    pub fn name(&self, place: &Place) -> String {
        let (frame, _) = self.here();
        match &place.kind {
            PlaceKind::Global(global) => {
                self.model.globals.get(global.0 as usize).map_or_else(String::new, |g| g.name.clone())
            }
            PlaceKind::Local(local) => frame[*local].name.clone(),
            PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
                format!("{}[{}]", self.name(base), self.value_name(e))
            }
            PlaceKind::Field(base, field) => {
                let field = match &self.model.types[base.ty].kind {
                    TypeKind::Record(fields) => fields.get(*field as usize).map(|f| f.name.clone()),
                    _ => None,
                };
                format!("{}.{}", self.name(base), field.unwrap_or_default())
            }
            PlaceKind::Call(call) => {
                let function = self.model.functions.get(call.function as usize);
                format!("{}(…)", function.map_or("", |f| f.name.as_str()))
            }
            PlaceKind::Cond(..) => "this choice".to_owned(),
        }
    }

    fn value_name(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Read(place) => self.name(place),
            ExprKind::Const(value) => self.model.types.show(e.ty, *value),
            ExprKind::Convert(e) => self.value_name(e),
            _ => "…".to_owned(),
        }
    }
}
