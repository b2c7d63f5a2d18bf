//! Which atomic conditions of properties a permutation does not leave as they are.

use burnside_model::code::{Expr, ExprKind};
use burnside_model::findings::{Broken, Checks, JudgedGenerator};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::system::System;

use super::OnTheFly;
use super::classes::sets_of;
use super::invariance::image;
use super::permute::Movers;

/// Notes for each permutation what it changes.
pub fn note_breaks(
    system: &System<'_>,
    checks: &Checks,
    how: &OnTheFly,
    valid: &Bdd,
    movers: &mut Movers<'_>,
    judged: &mut [JudgedGenerator],
) -> Result<(), Failed> {
    let model = system.encoding.model;
    for (check, listed) in checks.list.iter().enumerate() {
        let Some(sets) = sets_of(system, checks, check, valid)? else { continue };
        let mut atoms = None;
        for (candidate, judged) in how.candidates.iter().zip(judged.iter_mut()) {
            let moved = image(movers, &candidate.permutation, &sets)?;
            if moved.is_none_or(|moved| moved == sets) {
                continue;
            }
            let atoms: &Vec<(burnside_model::Span, Bdd)> = match &mut atoms {
                Some(atoms) => atoms,
                none => none.insert(match listed.index {
                    Some(property) => atoms_of(system, property, valid)?,
                    None => Vec::new(),
                }),
            };
            let mut broken = Vec::new();
            for (span, set) in atoms {
                let set = std::slice::from_ref(set);
                if image(movers, &candidate.permutation, set)?.is_some_and(|moved| moved != set) {
                    broken.push(*span);
                }
            }
            let name = listed.index.map_or(&listed.name, |index| &model.properties[index].name).clone();
            judged.breaks.push(Broken { property: listed.index, name, atoms: broken });
        }
    }
    Ok(())
}

/// The atomic conditions of a property, and where they hold. None where they have parameters: then it is one of them itself.
fn atoms_of(
    system: &System<'_>,
    property: usize,
    valid: &Bdd,
) -> Result<Vec<(burnside_model::Span, Bdd)>, Failed> {
    let encoding = system.encoding;
    let property = &encoding.model.properties[property];
    let mut atoms = Vec::new();
    let conditions = property.conditions().into_iter().filter(|_| property.binders.is_empty());
    if property.formula.as_ref().is_none_or(|formula| formula.loops().is_empty()) {
        conditions.for_each(|condition| collect(condition, &mut atoms));
    }
    let mut diagrams = system.diagrams.clone();
    let mut sets = Vec::new();
    for atom in atoms {
        let holds = encoding.expr(&mut diagrams, &property.frame, &[], atom)?.holds;
        sets.push((atom.span, holds.and(valid)?));
    }
    Ok(sets)
}

/// The conditions that are put together by Boolean operators.
fn collect<'e>(condition: &'e Expr, atoms: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Not(inner) => collect(inner, atoms),
        ExprKind::Logic(_, one, other) => {
            collect(one, atoms);
            collect(other, atoms);
        }
        _ => atoms.push(condition),
    }
}
