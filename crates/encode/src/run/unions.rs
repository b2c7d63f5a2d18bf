//! Values of unions: as the member's, and back.

use burnside_model::Span;
use burnside_model::code::{FaultKind, TypeId, TypeKind, Types};

use super::{Run, Runner};
use crate::algebra::Algebra;
use crate::number::Number;
use crate::value::Value;

/// Consecutive values of one type, and how far away they are in another; none if they are no values there.
struct Segment {
    first: i128,
    last: i128,
    shift: Option<i128>,
}

/// The members of a union with where their values start there; a type that is none is its own member.
fn members(types: &Types, ty: TypeId) -> Vec<(TypeId, i128)> {
    let TypeKind::Union(members) = &types[ty].kind else {
        return vec![(ty, types.bounds(ty).0.into())];
    };
    let mut at = 0;
    let start = |member: &TypeId| {
        let start = at;
        at += i128::from(types.size(*member));
        (*member, start)
    };
    members.iter().map(start).collect()
}

/// How the values of one type are values of another, as [`burnside_model::code::Interpreter`] converts them.
fn segments(types: &Types, from: TypeId, to: TypeId) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (member, start) in members(types, from) {
        let (lo, hi) = types.bounds(member);
        let (lo, hi) = (i128::from(lo), i128::from(hi));
        // From the value there to the value in the member.
        let own = lo - start;
        let (first, last) = (start, hi - own);
        let integer = types.is_integer(member);
        let whole = |shift| Segment { first, last, shift };
        if let Some(offset) = types.union_offset(to, member) {
            segments.push(whole(Some(i128::from(offset) - start)));
        } else if types.same(member, to) || (integer && types.is_integer(to)) {
            segments.push(whole(Some(own)));
        } else if let TypeKind::Union(others) = &types[to].kind
            && let Some(range) = others.iter().find(|m| integer && types.is_integer(**m))
        {
            let (least, most) = types.bounds(*range);
            let (least, most) = (i128::from(least) - own, i128::from(most) - own);
            let offset = i128::from(types.union_offset(to, *range).unwrap_or(0));
            segments.push(Segment { first, last: last.min(least - 1), shift: None });
            let (first, last) = (first.max(least), last.min(most));
            segments.push(Segment { first, last, shift: Some(offset - least) });
            segments.push(Segment { first: first.max(most + 1), last: hi - own, shift: None });
        } else {
            segments.push(whole(None));
        }
    }
    segments.retain(|segment| segment.first <= segment.last);
    segments
}

impl<A: Algebra> Runner<'_, '_, A> {
    /// A value of one type as that of another.
    pub fn convert(&mut self, value: &Value<A>, from: TypeId, to: TypeId, span: Span) -> Run<Value<A>, A> {
        let number = &value.number;
        let defined = self.alg.not(&value.undefined)?;
        let mut result: Option<Number<A>> = None;
        for segment in segments(self.types(), from, to) {
            if segment.last < number.lo || segment.first > number.hi {
                continue;
            }
            let outside = number.outside(self.alg, segment.first, segment.last)?;
            let inside = self.alg.not(&outside)?;
            let Some(shift) = segment.shift else {
                let bad = self.alg.and(&inside, &defined)?;
                self.fail_if(&bad, FaultKind::UnionMember, span)?;
                continue;
            };
            let shift = Number::constant(self.alg, shift);
            let here = number.clone().within(self.alg, segment.first, segment.last);
            let here = here.add(self.alg, &shift)?;
            result = Some(match result {
                Some(others) => Number::ite(self.alg, &inside, &here, &others)?,
                None => here,
            });
        }
        let number = result.unwrap_or_else(|| Number::constant(self.alg, 0));
        Ok(Value { undefined: value.undefined.clone(), number })
    }

    /// Whether a value is one of a member's.
    pub fn is_member(&mut self, number: &Number<A>, ty: TypeId, member: TypeId) -> Run<A::F, A> {
        let types = self.types();
        if !matches!(types[ty].kind, TypeKind::Union(_)) {
            return Ok(self.alg.constant(types.same(ty, member)));
        }
        let mut found = self.alg.constant(false);
        for (other, start) in members(types, ty) {
            if types.same(other, member) {
                let outside = number.outside(self.alg, start, start + i128::from(types.size(other)) - 1)?;
                let inside = self.alg.not(&outside)?;
                found = self.alg.or(&found, &inside)?;
            }
        }
        Ok(found)
    }
}
