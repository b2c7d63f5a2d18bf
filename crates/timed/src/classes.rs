//! Queries by what they leave of the symmetry: one search for each group, and one query for all that differ in names.
//!
//! A query that names a process (`P(2).cs`) keeps it in its place, and so breaks a part of the symmetry of the network.
//! Asked together, queries that name different processes would leave nothing of it. So each query gets the largest group
//! that it allows, and queries with the same group share a search. Of queries that are the same up to a permutation of the
//! network's own group (`P(1).req --> P(1).cs` and `P(2).req --> P(2).cs`) one is answered; the answer of the others is
//! the same, with the run renamed and executed again.
//!
//! That two queries differ only in names is decided on their text: constants may differ where they are indices of arrays
//! of processes, or compared with such an index, and nowhere else. What is not understood counts as different.

use burnside_model::Network;
use burnside_model::code::{
    DomainId, DomainKind, Expr, ExprKind, LoopRange, Place, PlaceKind, TypeId, TypeKind, Types,
};
use burnside_model::network::{Query, QueryKind};
use burnside_symmetry::verify::Refusal;
use burnside_symmetry::{Action, Permutation};

use crate::conditions::Run;
use crate::run::{TimedRun, execute};
use crate::steps::Stepper;
use crate::symmetry::Representatives;
use crate::verify::{detect_parameters, verify};

/// Queries that leave the same group.
pub struct QueryClass {
    /// The network with these queries only, and the group as its domains.
    pub network: Network,
    /// The domains that are symmetries.
    pub domains: Vec<DomainId>,
    /// Why declared domains are not.
    pub refusals: Vec<Refusal>,
    /// Whether some of the symmetry was found, not declared.
    pub detected: bool,
    /// Which queries of the whole network these are.
    pub queries: Vec<usize>,
}

impl QueryClass {
    /// The queries of a network that are given by position, under the largest group that all of them allow.
    pub fn new(network: &Network, queries: Vec<usize>, detect: bool) -> QueryClass {
        let asked = queries.iter().map(|query| network.queries[*query].clone()).collect();
        let mut network = Network { queries: asked, ..network.clone() };
        let detected = detect && detect_parameters(&mut network);
        let (domains, refusals) = verify(&network);
        QueryClass { network, domains, refusals, detected, queries }
    }

    /// The order of the group, in decimal.
    pub fn order(&self) -> String {
        Action::new(&self.network.model, &self.domains).order_string()
    }
}

/// A query that is like another up to names.
pub struct Alike {
    /// Which query of the network.
    pub query: usize,
    /// The one that it is like.
    pub of: usize,
    permutation: Permutation,
}

/// How the queries of a network are asked.
pub struct Classes {
    /// In the order of their first queries.
    pub classes: Vec<QueryClass>,
    /// The queries that are answered by others.
    pub alike: Vec<Alike>,
    /// The network without queries: its group is the largest.
    whole: QueryClass,
}

impl Classes {
    /// The classes of a network's queries; one without any group, if it is not to be used.
    pub fn new(network: &Network, reduce: bool, detect: bool) -> Classes {
        let whole = QueryClass::new(network, Vec::new(), detect && reduce);
        if !reduce {
            let all = QueryClass::new(network, (0..network.queries.len()).collect(), false);
            let plain = QueryClass { domains: Vec::new(), ..all };
            return Classes { classes: vec![plain], alike: Vec::new(), whole };
        }
        let mut found = Classes { classes: Vec::new(), alike: Vec::new(), whole };
        let mut leaders: Vec<usize> = Vec::new();
        for query in 0..network.queries.len() {
            let like = leaders.iter().find_map(|leader| {
                let permutation = found.whole.sends(&network.queries[*leader], &network.queries[query])?;
                Some(Alike { query, of: *leader, permutation })
            });
            if let Some(like) = like {
                found.alike.push(like);
                continue;
            }
            leaders.push(query);
            let alone = QueryClass::new(network, vec![query], detect);
            let same = |class: &&mut QueryClass| {
                class.domains == alone.domains && class.network.model.types == alone.network.model.types
            };
            match found.classes.iter_mut().find(same) {
                Some(class) => {
                    class.queries.push(query);
                    class.network.queries.extend(alone.network.queries);
                }
                None => found.classes.push(alone),
            }
        }
        if found.classes.is_empty() {
            found.classes.push(QueryClass::new(network, Vec::new(), detect));
        }
        found
    }

    /// The run of a query that is like another: the other's run under other names, executed; nothing if it is none.
    pub fn renamed(&self, alike: &Alike, run: &TimedRun) -> Run<Option<TimedRun>> {
        let network = &self.whole.network;
        let mut stepper = Stepper::new(network)?;
        let representatives = Representatives::new(network, &stepper.clocks, &self.whole.domains);
        let moved = |state: &[i64]| {
            let mut moved = Vec::new();
            representatives.action.apply(&alike.permutation, state, &mut moved);
            moved
        };
        let mut renamed = run.clone();
        renamed.start = moved(&run.start);
        for (new, old) in renamed.steps.iter_mut().zip(&run.steps) {
            new.state = moved(&old.state);
            new.taken = stepper.permuted(&old.taken, &alike.permutation, &representatives);
            new.channel = old.channel.map(|cell| representatives.moved_cell(&alike.permutation, cell));
        }
        Ok(execute(&mut stepper, &renamed)?.map(|_| renamed))
    }
}

impl QueryClass {
    /// A permutation of the group that makes one query of another, if there is one.
    fn sends(&self, from: &Query, to: &Query) -> Option<Permutation> {
        let mut matching =
            Matching { types: &self.network.model.types, clock: self.network.clock, pairs: Vec::new() };
        if !same_kind(&from.kind, &to.kind) || from.frame.locals.len() != to.frame.locals.len() {
            return None;
        }
        let (a, b) = (from.kind.exprs(), to.kind.exprs());
        if a.len() != b.len() || !a.iter().zip(b).all(|(a, b)| matching.exprs(a, b, None)) {
            return None;
        }
        let action = Action::new(&self.network.model, &self.domains);
        let mut images: Vec<Vec<Option<u32>>> =
            action.sizes().iter().map(|size| vec![None; *size as usize]).collect();
        for ((domain, a), (other, b)) in matching.pairs {
            let full = self.network.model.types.domain(domain).kind == DomainKind::Full;
            let known = self.domains.iter().position(|known| *known == domain).filter(|_| full);
            let Some(at) = known else {
                // Nothing may move there.
                if domain != other || a != b {
                    return None;
                }
                continue;
            };
            if domain != other || images[at][a as usize].is_some_and(|image| image != b) {
                return None;
            }
            images[at][a as usize] = Some(b);
        }
        Permutation::from_images(images.into_iter().map(completed).collect::<Option<Vec<_>>>()?)
    }
}

/// A permutation that sends some elements where they are to go, and leaves most others where they are.
fn completed(images: Vec<Option<u32>>) -> Option<Vec<u32>> {
    let mut taken = vec![false; images.len()];
    for image in images.iter().flatten() {
        if std::mem::replace(&mut taken[*image as usize], true) {
            return None;
        }
    }
    let mut all = images;
    for (element, image) in (0..).zip(all.iter_mut()) {
        if image.is_none() && !taken[element as usize] {
            taken[element as usize] = true;
            *image = Some(element);
        }
    }
    let mut free =
        (0..).zip(&taken).filter(|(_, taken)| !**taken).map(|(element, _)| element).collect::<Vec<u32>>();
    all.iter_mut().filter(|image| image.is_none()).for_each(|image| *image = free.pop());
    all.into_iter().collect()
}

fn same_kind(a: &QueryKind, b: &QueryKind) -> bool {
    let conditions = |kind: &QueryKind| match kind {
        QueryKind::Sup(condition, _) | QueryKind::Inf(condition, _) | QueryKind::Bounds(condition, _) => {
            condition.is_some()
        }
        _ => false,
    };
    std::mem::discriminant(a) == std::mem::discriminant(b) && conditions(a) == conditions(b)
}

/// An element of a symmetry domain.
type Element = (DomainId, u32);

/// Compares two expressions up to the names of elements.
struct Matching<'t> {
    types: &'t Types,
    clock: Option<TypeId>,
    /// Which element of the first stands where which of the second does.
    pairs: Vec<(Element, Element)>,
}

impl Matching<'_> {
    fn domains(&self, ty: TypeId) -> Vec<DomainId> {
        if !self.types.is_simple(ty) || Some(ty) == self.clock {
            return Vec::new();
        }
        self.types.domains_of(ty).into_iter().map(|(domain, _)| domain).collect()
    }

    /// Whether two expressions are the same up to names; `of` is the type of which a constant here is a value.
    fn exprs(&mut self, a: &Expr, b: &Expr, of: Option<TypeId>) -> bool {
        if let (ExprKind::Const(x), ExprKind::Const(y)) = (&a.kind, &b.kind) {
            let ty = of.filter(|ty| !self.domains(*ty).is_empty()).unwrap_or(a.ty);
            return match (self.types.element(ty, *x), self.types.element(ty, *y)) {
                (Some(x), Some(y)) => {
                    self.pairs.push((x, y));
                    true
                }
                (None, None) => x == y,
                _ => false,
            };
        }
        // Where an element is expected, only what ranges over the same elements is understood.
        if of.is_some_and(|ty| self.domains(ty) != self.domains(a.ty)) {
            return false;
        }
        match (&a.kind, &b.kind) {
            (ExprKind::Read(p), ExprKind::Read(q)) => self.places(p, q),
            (ExprKind::Not(x), ExprKind::Not(y)) => self.exprs(x, y, None),
            (ExprKind::Logic(op, x, z), ExprKind::Logic(other, y, w)) => {
                op == other && self.exprs(x, y, None) && self.exprs(z, w, None)
            }
            (ExprKind::Quantified(kind, each, x), ExprKind::Quantified(other, same, y)) => {
                let ranges = match (&each.range, &same.range) {
                    (LoopRange::Type(a), LoopRange::Type(b)) => a == b,
                    _ => false,
                };
                kind == other && ranges && each.local == same.local && self.exprs(x, y, None)
            }
            (ExprKind::Eq(x, z), ExprKind::Eq(y, w)) | (ExprKind::Ne(x, z), ExprKind::Ne(y, w)) => {
                let constant = |e: &Expr| matches!(e.kind, ExprKind::Const(_));
                let (left, right) =
                    (Some(z.ty).filter(|_| !constant(z)), Some(x.ty).filter(|_| !constant(x)));
                self.exprs(x, y, left.or(right)) && self.exprs(z, w, right.or(left))
            }
            (ExprKind::Order(op, x, z), ExprKind::Order(other, y, w)) => {
                op == other && self.numbers(x, y) && self.numbers(z, w)
            }
            (ExprKind::Arith(op, x, z), ExprKind::Arith(other, y, w)) => {
                op == other && self.numbers(x, y) && self.numbers(z, w)
            }
            (ExprKind::Neg(x), ExprKind::Neg(y)) => self.numbers(x, y),
            (ExprKind::Cond(c, x, z), ExprKind::Cond(d, y, w)) => {
                self.exprs(c, d, None) && self.numbers(x, y) && self.numbers(z, w)
            }
            _ => false,
        }
    }

    /// As [`exprs`](Self::exprs), where elements have no meaning.
    fn numbers(&mut self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Const(x), ExprKind::Const(y)) => x == y,
            _ => self.domains(a.ty).is_empty() && self.exprs(a, b, None),
        }
    }

    fn places(&mut self, a: &Place, b: &Place) -> bool {
        match (&a.kind, &b.kind) {
            (PlaceKind::Global(x), PlaceKind::Global(y)) => x == y,
            (PlaceKind::Local(x), PlaceKind::Local(y)) => x == y,
            (PlaceKind::Index(base, x), PlaceKind::Index(other, y)) => {
                let TypeKind::Array { index, .. } = self.types[base.ty].kind else { return false };
                self.places(base, other) && self.exprs(x, y, Some(index))
            }
            (PlaceKind::Field(base, x), PlaceKind::Field(other, y)) => x == y && self.places(base, other),
            _ => false,
        }
    }
}
