//! Claimed permutations: `generator "g" of T = (0 1 2)(3 4);`.
//!
//! Elements are written as in the model: the values of a range, the members of an enum, and 0, 1, … for a scalarset or
//! ring, whose elements have no names elsewhere. What is not mentioned stays where it is.

use burnside_model::code::{TypeId, TypeKind, Types};
use burnside_model::system::Generator;

use super::Lowerer;
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

/// The most values of a type of which a permutation can be claimed.
const MOST_VALUES: u64 = 1000;

impl Lowerer<'_> {
    pub(super) fn generator(&mut self, generator: &ast::Generator) {
        let Some(ty) = self.named_type(&generator.ty) else { return };
        let simple =
            matches!(self.types()[ty].kind, TypeKind::Range(..) | TypeKind::Enum(_) | TypeKind::Scalarset(_));
        if !simple || self.types().size(ty) > MOST_VALUES {
            let name = &generator.ty.name;
            let message = match simple {
                true => format!("`{name}` has more than {MOST_VALUES} values"),
                false => format!("`{name}` is neither a scalarset, a ring, a range nor an enum"),
            };
            let error = Diagnostic::error(codes::BAD_CLAIM, generator.ty.span, message);
            self.report(error.help("claim a permutation of the type that is the index or the value"));
            return;
        }
        let (lo, hi) = self.types().bounds(ty);
        let mut images: Vec<i64> = (lo..=hi).collect();
        let mut seen = vec![None; images.len()];
        for cycle in &generator.cycles {
            let Some(values) = self.cycle(ty, cycle, &mut seen) else { return };
            for (from, to) in values.iter().zip(values.iter().cycle().skip(1)) {
                images[(from - lo) as usize] = *to;
            }
        }
        let (name, span) = (generator.name.value.clone(), generator.span);
        self.model.generators.push(Generator { name, ty, images, span });
    }

    /// The values of a cycle; `seen` says where each was met before.
    fn cycle(
        &mut self,
        ty: TypeId,
        cycle: &[ast::Expr],
        seen: &mut [Option<burnside_model::Span>],
    ) -> Option<Vec<i64>> {
        let (lo, _) = self.types().bounds(ty);
        let mut values = Vec::new();
        for element in cycle {
            let value = self.element_of(ty, element)?;
            if let Some(before) = seen[(value - lo) as usize].replace(element.span) {
                let message = format!("`{}` is in this permutation twice", self.text(element.span));
                let error = Diagnostic::error(codes::BAD_GENERATOR, element.span, message);
                self.report(error.also(before, "here it is, too").help("each element goes to one place"));
                return None;
            }
            values.push(value);
        }
        Some(values)
    }

    fn element_of(&mut self, ty: TypeId, element: &ast::Expr) -> Option<i64> {
        let (value, found) = self.constant(element)?;
        let (lo, hi) = self.types().bounds(ty);
        let numbered = !matches!(self.types()[ty].kind, TypeKind::Enum(_));
        let fits = if numbered { self.types().is_integer(found) } else { self.types().same(found, ty) };
        if fits && (lo..=hi).contains(&value) {
            return Some(value);
        }
        let message = format!("`{}` is not an element of `{}`", self.text(element.span), self.describe(ty));
        let help = match numbered {
            true => format!("its elements are {}", range(self.types(), ty)),
            false => "write one of the members of the enum".to_owned(),
        };
        self.report(Diagnostic::error(codes::BAD_GENERATOR, element.span, message).help(help));
        None
    }
}

fn range(types: &Types, ty: TypeId) -> String {
    let (lo, hi) = types.bounds(ty);
    format!("{lo} to {hi}")
}
