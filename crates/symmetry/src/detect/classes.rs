//! Types between whose values there is traffic: they are symmetric together or not at all.

use std::collections::BTreeMap;

use burnside_model::code::{LoopRange, TypeId, TypeKind, Types};
use burnside_model::system::Binder;
use burnside_model::{Model, Span};

use super::{Class, MOST_VALUES, effects};
use crate::verify;

/// Where values go from one type to another.
pub(super) type Flows = BTreeMap<(TypeId, TypeId), Span>;

/// Types that share their values.
pub(super) type Linked = Vec<TypeId>;

/// The classes of ranges and enums of at most so many values that occur in the state, and that something runs through.
pub(super) fn classes(model: &Model, flows: &Flows, most: u64) -> Vec<Class> {
    let (held, indices) = occurring(model);
    let class = |members: Linked| {
        // Values that nothing runs through come from constants only: those that nothing names do not occur.
        let varied = members.iter().any(|ty| indices.contains(ty) || effects::ranged(model, *ty));
        let occurs = members.iter().any(|ty| held.contains(ty));
        (varied && occurs).then(|| make(&model.types, members, &indices))
    };
    linked_by(model, flows, most).into_iter().filter_map(class).collect()
}

/// The classes of ranges and enums of few values that occur in the state.
pub(super) fn linked(model: &Model) -> Vec<Linked> {
    let (held, _) = occurring(model);
    let mut all = linked_by(model, &verify::flows(model), MOST_VALUES);
    all.retain(|members| members.iter().any(|ty| held.contains(ty)));
    all
}

/// Whether one of the types is an index in the state, or the parameter of a rule.
pub(super) fn has_index(model: &Model, types: &[TypeId]) -> bool {
    let (_, indices) = occurring(model);
    types.iter().any(|ty| indices.contains(ty))
}

fn linked_by(model: &Model, flows: &Flows, most: u64) -> Vec<Linked> {
    let types = &model.types;
    let candidates: Vec<TypeId> = types.ids().filter(|ty| is_candidate(types, *ty, most)).collect();
    let mut of: Vec<usize> = (0..candidates.len()).collect();
    let number = |ty: TypeId| candidates.binary_search(&ty).ok();
    for (a, b) in flows.keys() {
        for (a, b) in pairs(types, *a, *b) {
            if let (Some(a), Some(b)) = (number(a), number(b)) {
                let (from, to) = (of[a].max(of[b]), of[a].min(of[b]));
                of.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
            }
        }
    }
    let class = |number: usize| -> Linked {
        candidates.iter().zip(&of).filter(|(_, class)| **class == number).map(|(ty, _)| *ty).collect()
    };
    (0..candidates.len()).map(class).filter(|members| !members.is_empty()).collect()
}

pub(super) fn make(types: &Types, members: Vec<TypeId>, indices: &[TypeId]) -> Class {
    let mut values: Vec<i64> = members
        .iter()
        .flat_map(|ty| {
            let (lo, hi) = types.bounds(*ty);
            lo..=hi
        })
        .collect();
    values.sort_unstable();
    values.dedup();
    let named = members.iter().find_map(|ty| types[*ty].name.clone());
    let name = named.unwrap_or_else(|| types.describe(members[0]));
    let index = members.iter().any(|ty| indices.contains(ty));
    Class { name, types: members, values, index }
}

fn is_candidate(types: &Types, ty: TypeId, most: u64) -> bool {
    matches!(types[ty].kind, TypeKind::Range(..) | TypeKind::Enum(_)) && (2..=most).contains(&types.size(ty))
}

/// The types between which values go, where unions do so member by member.
fn pairs(types: &Types, a: TypeId, b: TypeId) -> Vec<(TypeId, TypeId)> {
    let members = |ty: TypeId| match &types[ty].kind {
        TypeKind::Union(members) => members.clone(),
        _ => vec![ty],
    };
    let (a, b) = (members(a), members(b));
    let may_meet = |x: TypeId, y: TypeId| types.same(x, y) || (types.is_integer(x) && types.is_integer(y));
    let all = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
    all.filter(|(x, y)| may_meet(*x, *y)).collect()
}

/// The simple types in the state; and those that are indices there, or parameters of rules.
fn occurring(model: &Model) -> (Vec<TypeId>, Vec<TypeId>) {
    let (mut held, mut indices) = (Vec::new(), Vec::new());
    for global in &model.globals {
        occurring_in(&model.types, global.ty, &mut held, &mut indices);
    }
    for rule in &model.rules {
        indices.extend(rule.binders.iter().filter_map(|binder| match binder {
            Binder::Each(each) => match each.range {
                LoopRange::Type(ty) => Some(ty),
                LoopRange::Span(..) => None,
            },
            _ => None,
        }));
    }
    (held, indices)
}

fn occurring_in(types: &Types, ty: TypeId, held: &mut Vec<TypeId>, indices: &mut Vec<TypeId>) {
    match &types[ty].kind {
        TypeKind::Array { index, element } => {
            occurring_in(types, *index, held, indices);
            match &types[*index].kind {
                TypeKind::Union(members) => indices.extend(members),
                _ => indices.push(*index),
            }
            occurring_in(types, *element, held, indices);
        }
        TypeKind::Record(fields) => fields.iter().for_each(|f| occurring_in(types, f.ty, held, indices)),
        TypeKind::Multiset { element, .. } => occurring_in(types, *element, held, indices),
        TypeKind::Union(members) => held.extend(members),
        _ => held.push(ty),
    }
}
