//! Quantifiers over a type, and what their instances do besides having a value.

use burnside_model::code::{
    Expr, ExprKind, LocalId, Loop, LoopRange, Part, PlaceKind, Stmt, StmtKind, Storage, TypeId, TypeKind,
};
use burnside_model::system::{Binder, Formula};
use burnside_model::{Model, Span};

/// A quantifier over this type, in any code of the model, with an effect.
pub(super) fn with_effects(model: &Model, ty: TypeId) -> Option<Span> {
    let mut found = None;
    each_quantifier(model, ty, &mut |body, span| {
        if found.is_none() && has_effect(model, body) {
            found = Some(span);
        }
    });
    found
}

/// Whether there is a quantifier over this type.
pub(super) fn quantified(model: &Model, ty: TypeId) -> bool {
    let mut found = false;
    each_quantifier(model, ty, &mut |_, _| found = true);
    found
}

/// Whether a loop, quantifier or rule set runs through this type, or a union with it.
pub(super) fn ranged(model: &Model, ty: TypeId) -> bool {
    let over = |each: &Loop| runs_through(model, each, ty);
    let binders = model.starts.iter().chain(&model.rules).flat_map(|rule| &rule.binders);
    let binders = binders.chain(model.properties.iter().flat_map(|property| &property.binders));
    let mut found = false;
    for binder in binders {
        found |= matches!(binder, Binder::Each(each) if over(each));
    }
    found |= formulas(model).flat_map(Formula::loops).any(over);
    for part in model.code() {
        part.each(&mut |part| match part {
            Part::Expr(Expr { kind: ExprKind::Quantified(_, each, _), .. })
            | Part::Stmt(Stmt { kind: StmtKind::For(each, _), .. }) => found |= over(each),
            _ => {}
        });
    }
    found
}

fn runs_through(model: &Model, each: &Loop, ty: TypeId) -> bool {
    match each.range {
        LoopRange::Type(of) => of == ty || mentions(model, of, ty),
        LoopRange::Span(..) => false,
    }
}

fn each_quantifier<'m>(model: &'m Model, ty: TypeId, visit: &mut dyn FnMut(Part<'m>, Span)) {
    for part in model.code() {
        part.each(&mut |part| {
            if let Part::Expr(e) = part
                && let ExprKind::Quantified(_, each, body) = &e.kind
                && runs_through(model, each, ty)
            {
                visit(Part::Expr(body), e.span);
            }
        });
    }
}

/// Whether a union has the type as a member.
fn mentions(model: &Model, union: TypeId, ty: TypeId) -> bool {
    matches!(&model.types[union].kind, TypeKind::Union(members) if members.contains(&ty))
}

fn formulas(model: &Model) -> impl Iterator<Item = &Formula> {
    model.properties.iter().filter_map(|property| property.formula.as_ref())
}

/// Whether evaluating this may do more than give a value: whether a function that it calls writes anything but its own
/// variables, prints, counts or assumes.
fn has_effect(model: &Model, part: Part<'_>) -> bool {
    let (mut reached, mut next): (Vec<u32>, _) = (Vec::new(), 0);
    let calls = |part: Part<'_>, reached: &mut Vec<u32>| {
        part.each(&mut |part| {
            if let Part::Call(call) = part
                && !reached.contains(&call.function)
            {
                reached.push(call.function);
            }
        });
    };
    calls(part, &mut reached);
    while let Some(function) = reached.get(next).and_then(|index| model.functions.get(*index as usize)) {
        next += 1;
        for stmt in &function.body {
            let mut effect = false;
            Part::Stmt(stmt).each(&mut |part| {
                effect |= matches!(
                    part,
                    Part::Stmt(Stmt {
                        kind: StmtKind::Assume(_)
                            | StmtKind::Cover(..)
                            | StmtKind::Put(..)
                            | StmtKind::PutText(_),
                        ..
                    })
                );
            });
            Part::Stmt(stmt).targets(&mut |place| {
                let of_its_own = |local: &LocalId| function.frame[*local].storage == Storage::Value;
                let own = place.root_locals().iter().any(of_its_own);
                effect |= !own || matches!(place.kind, PlaceKind::Cond(..));
            });
            if effect {
                return true;
            }
            calls(Part::Stmt(stmt), &mut reached);
        }
    }
    false
}
