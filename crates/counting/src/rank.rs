//! How many elements in the same local state can be told from more.
//!
//! A rule names elements by its parameters, quantifiers and loops; elements that are in the same extended local state and
//! not named are alike. With at most `r` names at a time, nothing tells `r` or more such elements from any greater number
//! of them (the game of Ehrenfeucht and Fraïssé), unless a loop over the elements adds something up.

use burnside_model::code::{
    Arg, Block, Call, DomainId, ExprKind, Frame, GlobalId, LocalId, Part, Place, PlaceKind, Stmt, StmtKind,
};
use burnside_model::system::Binder;
use burnside_model::{Model, Span};

/// Calls inside each other that are followed.
const DEEPEST: u32 = 32;

/// The most elements that a rule or property of the model names at a time; or the loop that adds something
/// up, or the call that is too deep to follow.
pub(crate) fn rank(model: &Model, counted: &[DomainId]) -> Result<u32, Span> {
    let ranker = Ranker { model, counted };
    let mut most = 0;
    for rule in model.rules.iter() {
        most = most.max(ranker.body(&rule.frame, &rule.binders, Part::of_rule(rule))?);
    }
    for property in &model.properties {
        let binders = property.binders.iter().flat_map(Part::of_binder);
        let parts = binders.chain(property.condition.iter().map(Part::Expr)).collect();
        most = most.max(ranker.body(&property.frame, &property.binders, parts)?);
    }
    Ok(most)
}

struct Ranker<'m> {
    model: &'m Model,
    counted: &'m [DomainId],
}

/// A variable that a loop writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Global(GlobalId),
    Local(LocalId),
}

impl<'m> Ranker<'m> {
    /// Whether a variable names an element.
    fn names(&self, frame: &Frame, local: LocalId) -> bool {
        let domains = self.model.types.domains_of(frame[local].ty);
        domains.iter().any(|(domain, _)| self.counted.contains(domain))
    }

    fn body(&self, frame: &'m Frame, binders: &'m [Binder], parts: Vec<Part<'m>>) -> Result<u32, Span> {
        let names = |binder: &&Binder| matches!(binder, Binder::Each(each) if self.names(frame, each.local));
        Ok(binders.iter().filter(names).count() as u32 + self.all(frame, &parts, DEEPEST)?)
    }

    fn all(&self, frame: &'m Frame, parts: &[Part<'m>], depth: u32) -> Result<u32, Span> {
        let mut most = 0;
        for part in parts {
            most = most.max(self.part(frame, *part, depth)?);
        }
        Ok(most)
    }

    fn part(&self, frame: &'m Frame, part: Part<'m>, depth: u32) -> Result<u32, Span> {
        let inside = self.all(frame, &part.parts(), depth)?;
        Ok(match part {
            Part::Stmt(Stmt { kind: StmtKind::For(each, body), span }) if self.names(frame, each.local) => {
                if self.adds_up(frame, each.local, body) {
                    return Err(*span);
                }
                inside + 1
            }
            Part::Expr(e) => match &e.kind {
                ExprKind::Quantified(_, each, _) => inside + u32::from(self.names(frame, each.local)),
                _ => inside,
            },
            Part::Call(call) => inside.max(self.call(call, depth)?),
            _ => inside,
        })
    }

    fn call(&self, call: &'m Call, depth: u32) -> Result<u32, Span> {
        let function = &self.model.functions[call.function as usize];
        self.all(&function.frame, &Part::of_function(function), depth.checked_sub(1).ok_or(call.span)?)
    }

    /// Whether a loop may carry something from one iteration to the next: whether it writes a variable, other than at the
    /// loop's own element, that it also reads.
    fn adds_up(&self, frame: &'m Frame, own: LocalId, body: &'m Block) -> bool {
        let (mut written, mut read, mut unclear) = (Vec::new(), Vec::new(), false);
        for stmt in body {
            Part::Stmt(stmt).each(&mut |part| match part {
                Part::Stmt(stmt) => {
                    let target = match &stmt.kind {
                        StmtKind::Assign(target, _)
                        | StmtKind::Copy(target, _)
                        | StmtKind::Undefine(target)
                        | StmtKind::Clear(target) => target,
                        StmtKind::MultisetAdd(_, set)
                        | StmtKind::MultisetRemove(_, set)
                        | StmtKind::MultisetRemovePred(_, set, _) => {
                            read.push(root(frame, set));
                            set
                        }
                        _ => return,
                    };
                    if !is_at(target, own) {
                        written.push(root(frame, target));
                    }
                }
                Part::Expr(e) => {
                    if let ExprKind::Read(place) | ExprKind::IsUndefined(place) = &e.kind
                        && !is_at(place, own)
                    {
                        read.push(root(frame, place));
                    }
                    if let ExprKind::Same(a, b, _) = &e.kind {
                        read.extend([root(frame, a), root(frame, b)]);
                    }
                }
                Part::Call(call) => {
                    unclear |= call.args.iter().any(|arg| matches!(arg, Arg::Reference(_)));
                    unclear |= self.writes_or_reads_much(call, DEEPEST, &mut read);
                }
                Part::Place(_) => {}
            });
        }
        // Copies read their source.
        for stmt in body {
            Part::Stmt(stmt).each(&mut |part| {
                if let Part::Stmt(Stmt { kind: StmtKind::Copy(_, source), .. }) = part {
                    read.push(root(frame, source));
                }
            });
        }
        // The element itself is not carried on.
        read.retain(|root| *root != Some(Root::Local(own)));
        unclear
            || written.iter().any(|w| w.is_none() || read.contains(w))
            || (!written.is_empty() && read.contains(&None))
    }

    /// Notes the globals that a function reads; whether it writes one, or is too deep to tell.
    fn writes_or_reads_much(&self, call: &'m Call, depth: u32, read: &mut Vec<Option<Root>>) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let function = &self.model.functions[call.function as usize];
        let mut writes = false;
        for stmt in &function.body {
            Part::Stmt(stmt).each(&mut |part| match part {
                Part::Stmt(stmt) => match &stmt.kind {
                    StmtKind::Assign(target, _)
                    | StmtKind::Copy(target, _)
                    | StmtKind::Undefine(target)
                    | StmtKind::Clear(target)
                    | StmtKind::MultisetAdd(_, target)
                    | StmtKind::MultisetRemove(_, target)
                    | StmtKind::MultisetRemovePred(_, target, _) => {
                        writes |= !matches!(root(&function.frame, target), Some(Root::Local(_)));
                    }
                    _ => {}
                },
                Part::Place(place) => {
                    if let PlaceKind::Global(global) = place.kind {
                        read.push(Some(Root::Global(global)));
                    }
                }
                Part::Call(inner) => writes |= self.writes_or_reads_much(inner, depth, read),
                Part::Expr(_) => {}
            });
        }
        writes
    }
}

/// The variable of a place; nothing if that is not plain to see.
fn root(frame: &Frame, place: &Place) -> Option<Root> {
    match &place.root().kind {
        PlaceKind::Global(global) => Some(Root::Global(*global)),
        PlaceKind::Local(local) => {
            (frame[*local].storage == burnside_model::code::Storage::Value).then_some(Root::Local(*local))
        }
        _ => None,
    }
}

/// Whether a place is inside an array's entry for this very element.
fn is_at(place: &Place, element: LocalId) -> bool {
    match &place.kind {
        PlaceKind::Index(base, index) => {
            let own = matches!(&index.kind, ExprKind::Read(p) if p.kind == PlaceKind::Local(element));
            own || is_at(base, element)
        }
        PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => is_at(base, element),
        _ => false,
    }
}
