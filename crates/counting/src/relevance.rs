//! What a rule or property can see of the elements that it does not name.
//!
//! Only through quantifiers and loops, so only the variables that are mentioned in those. And an element that a pointer
//! holds is as good as named where the pointer is used for more than comparing it.

use std::collections::BTreeSet;

use burnside_model::Model;
use burnside_model::code::{
    Arg, Call, DomainId, Expr, ExprKind, Frame, GlobalId, LocalId, Operand, Part, Place, PlaceKind, Stmt,
    StmtKind, TypeId, TypeKind, Types,
};
use burnside_model::system::Binder;

use crate::atoms::{Asked, Atom, ask};

/// What a rule or property sees of other elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relevance<'m> {
    /// What quantifiers ask of single elements.
    pub atoms: Vec<Atom<'m>>,
    /// The variables that quantifiers and loops over elements mention otherwise.
    pub seen: BTreeSet<u32>,
    /// The variables that they mention at all.
    pub mentioned: BTreeSet<u32>,
    /// Variables that are used otherwise than by comparing them: the elements that they hold, if they do, are named.
    pub followed: BTreeSet<u32>,
    /// Whether there is a loop over elements, so that others may change.
    pub loops: bool,
    /// Whether there is a quantifier.
    pub asks: bool,
    /// How many elements the parameters name.
    pub parameters: usize,
}

/// What a rule sees of other elements.
pub(crate) fn of_rule<'m>(model: &'m Model, counted: &'m [DomainId], rule: usize) -> Relevance<'m> {
    let rule = &model.rules[rule];
    let mut looker = Looker::new(model, counted);
    for binder in &rule.binders {
        if let Binder::Each(each) = binder {
            looker.found.parameters += usize::from(looker.names(&rule.frame, each.local));
        }
    }
    for part in Part::of_rule(rule) {
        looker.walk(&rule.frame, part, false);
    }
    looker.found
}

/// What a condition without parameters sees, as a guard does: the elements that it follows pointers to are named.
pub(crate) fn of_condition<'m>(model: &'m Model, counted: &'m [DomainId], property: usize) -> Relevance<'m> {
    let property = &model.properties[property];
    let mut looker = Looker::new(model, counted);
    for binder in &property.binders {
        if let Binder::Alias(_, target) = binder {
            looker.walk(&property.frame, Part::of_operand(target), false);
        }
    }
    if let Some(condition) = &property.condition {
        looker.walk(&property.frame, Part::Expr(condition), false);
    }
    looker.found
}

/// What a property sees; its parameters are quantifiers, too.
pub(crate) fn of_property<'m>(model: &'m Model, counted: &'m [DomainId], property: usize) -> Relevance<'m> {
    let property = &model.properties[property];
    let mut looker = Looker::new(model, counted);
    for binder in &property.binders {
        match binder {
            Binder::Each(_) => {}
            Binder::Alias(_, target) => looker.walk(&property.frame, Part::of_operand(target), true),
            Binder::Choose(_, set) => looker.walk(&property.frame, Part::Place(set), true),
        }
    }
    if let Some(condition) = &property.condition {
        looker.ask(&property.frame, condition);
    }
    // Nothing is named: the elements that pointers hold are seen like all others.
    let followed = std::mem::take(&mut looker.found.followed);
    looker.found.mentioned.extend(followed);
    looker.found
}

/// Whether a variable may hold an element.
fn is_pointer(model: &Model, counted: &[DomainId], global: u32) -> bool {
    fn holds(types: &Types, counted: &[DomainId], ty: TypeId) -> bool {
        let counts = |ty: TypeId| types.domains_of(ty).iter().any(|(domain, _)| counted.contains(domain));
        match &types[ty].kind {
            TypeKind::Array { index, element } => !counts(*index) && holds(types, counted, *element),
            TypeKind::Record(fields) => fields.iter().any(|field| holds(types, counted, field.ty)),
            TypeKind::Multiset { .. } => false,
            _ => counts(ty),
        }
    }
    holds(&model.types, counted, model.globals[global as usize].ty)
}

/// Whether a value of this type has a part for every element.
fn spans(types: &Types, counted: &[DomainId], ty: TypeId) -> bool {
    match &types[ty].kind {
        TypeKind::Array { index, element } => {
            types.domains_of(*index).iter().any(|(domain, _)| counted.contains(domain))
                || spans(types, counted, *element)
        }
        TypeKind::Record(fields) => fields.iter().any(|field| spans(types, counted, field.ty)),
        TypeKind::Multiset { element, .. } => spans(types, counted, *element),
        _ => false,
    }
}

/// Whether an expression is a variable of the rule, or a constant: no pointer, then.
fn is_local(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Read(place) => matches!(place.kind, PlaceKind::Local(_)),
        kind => matches!(kind, ExprKind::Const(_)),
    }
}

struct Looker<'m> {
    model: &'m Model,
    counted: &'m [DomainId],
    found: Relevance<'m>,
    /// Functions that were walked, and whether inside a quantifier or loop.
    functions: BTreeSet<(u32, bool)>,
}

impl<'m> Looker<'m> {
    fn new(model: &'m Model, counted: &'m [DomainId]) -> Self {
        Looker { model, counted, found: Relevance::default(), functions: BTreeSet::new() }
    }

    /// Looks at a condition as a quantifier does.
    fn ask(&mut self, frame: &'m Frame, condition: &'m Expr) {
        self.found.asks = true;
        let mut asked = Asked::default();
        ask(self.model, self.counted, frame, condition, &mut asked);
        for atom in asked.atoms {
            let mut looker = Looker::new(self.model, self.counted);
            looker.walk(atom.frame, Part::Expr(atom.condition), true);
            let follows = looker.found.followed.iter().any(|g| is_pointer(self.model, self.counted, *g));
            match follows {
                true => asked.others.push((atom.frame, Part::Expr(atom.condition))),
                false => {
                    self.found.mentioned.extend(looker.found.mentioned);
                    self.found.atoms.push(atom);
                }
            }
        }
        for (frame, part) in asked.others {
            self.walk(frame, part, true);
        }
    }

    fn names(&self, frame: &Frame, local: LocalId) -> bool {
        let domains = self.model.types.domains_of(frame[local].ty);
        domains.iter().any(|(domain, _)| self.counted.contains(domain))
    }

    /// What is done to a whole array of elements is done to all of them, as in a loop.
    fn whole(&mut self, part: Part<'m>) {
        let places: Vec<&Place> = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Clear(target) | StmtKind::Undefine(target) => vec![target],
                StmtKind::Copy(target, source) => vec![target, source],
                StmtKind::Alias(_, Operand::Place(place), _)
                | StmtKind::Return(Some(Operand::Place(place)))
                | StmtKind::Put(Operand::Place(place), _)
                | StmtKind::MultisetAdd(Operand::Place(place), _) => vec![place],
                _ => return,
            },
            Part::Expr(Expr { kind: ExprKind::Same(a, b, _), .. }) => vec![a, b],
            Part::Call(call) => {
                let place = |arg: &'m Arg| if let Arg::Reference(place) = arg { Some(place) } else { None };
                call.args.iter().filter_map(place).collect()
            }
            _ => return,
        };
        for place in places.into_iter().filter(|place| spans(&self.model.types, self.counted, place.ty)) {
            self.found.loops = true;
            Part::Place(place).each(&mut |part| {
                if let Part::Place(Place { kind: PlaceKind::Global(global), .. }) = part {
                    self.found.seen.insert(global.0);
                    self.found.mentioned.insert(global.0);
                }
            });
            // A reference to a reference: which variable it is, is not plain to see.
            if !matches!(place.root().kind, PlaceKind::Global(_)) {
                let all = 0..self.model.globals.len() as u32;
                self.found.seen.extend(all.clone());
                self.found.mentioned.extend(all);
            }
        }
    }

    fn walk(&mut self, frame: &'m Frame, part: Part<'m>, inside: bool) {
        self.whole(part);
        let mut deeper = inside;
        match part {
            Part::Stmt(Stmt { kind: StmtKind::For(each, _), .. }) if self.names(frame, each.local) => {
                self.found.loops = true;
                deeper = true;
            }
            Part::Expr(e) => match &e.kind {
                ExprKind::Quantified(_, each, body) if !inside && self.names(frame, each.local) => {
                    return self.ask(frame, body);
                }
                // A comparison with a variable of the rule does not follow what it compares.
                ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                    for (side, other) in [(a, b), (b, a)] {
                        match &side.kind {
                            ExprKind::Read(place) if is_local(other) => self.compared(frame, place, inside),
                            _ => self.walk(frame, Part::Expr(side), inside),
                        }
                    }
                    return;
                }
                ExprKind::IsUndefined(place) => return self.compared(frame, place, inside),
                _ => {}
            },
            Part::Place(Place { kind: PlaceKind::Global(global), .. }) => self.mention(*global, inside, true),
            Part::Call(call) => self.call(call, inside),
            _ => {}
        }
        for part in part.parts() {
            self.walk(frame, part, deeper);
        }
    }

    /// A place whose content is only compared; what it is indexed by is used for more.
    fn compared(&mut self, frame: &'m Frame, place: &'m Place, inside: bool) {
        match &place.kind {
            PlaceKind::Global(global) => self.mention(*global, inside, false),
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                self.compared(frame, base, inside);
                self.walk(frame, Part::Expr(index), inside);
            }
            PlaceKind::Field(base, _) => self.compared(frame, base, inside),
            _ => self.walk(frame, Part::Place(place), inside),
        }
    }

    fn mention(&mut self, global: GlobalId, inside: bool, followed: bool) {
        if inside {
            self.found.seen.insert(global.0);
            self.found.mentioned.insert(global.0);
        }
        if followed {
            self.found.followed.insert(global.0);
        }
    }

    fn call(&mut self, call: &'m Call, inside: bool) {
        if self.functions.insert((call.function, inside)) {
            let function = &self.model.functions[call.function as usize];
            for part in Part::of_function(function) {
                self.walk(&function.frame, part, inside);
            }
        }
    }
}
