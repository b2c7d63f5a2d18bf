//! Rings: a range whose type is followed by the comment `// ring` has only rotations as symmetries. Other tools read
//! plain integers. Here the values are elements without order, which may be compared for equality, index arrays, and be
//! turned: `(x + 1) % N` and `(x - 1 + N) % N`, where N is the size of the ring.

use burnside_model::Span;
use burnside_model::code::{ArithOp, Domain, DomainId, DomainKind, Expr, ExprKind, TypeId, TypeKind};

use super::Lowerer;
use crate::diag::codes;
use crate::uppaal::ast::{self, Binary};

/// Where the comments are: the beginning of the line, and that of the comment.
pub(super) fn annotations(text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        if let Some(at) = line.find("//")
            && line[at + 2..].trim() == "ring"
        {
            found.push((start as u32, (start + at) as u32));
        }
        start += line.len() + 1;
    }
    found
}

impl Lowerer {
    /// Whether a type's name is followed by the comment.
    pub(super) fn is_annotated(&self, name: Span) -> bool {
        self.rings.iter().any(|(line, comment)| *line <= name.start && name.start < *comment)
    }

    /// A range from 0 on as a ring.
    pub(super) fn ring(&mut self, ty: TypeId, name: &ast::Ident) -> Option<TypeId> {
        let TypeKind::Range(0, last @ 1..=0xffff) = self.types()[ty].kind else {
            let message = format!("`{}` cannot be a ring: it is no range from 0 on", name.name);
            return self.error(codes::BAD_SIZE, name.span, message);
        };
        let types = &mut self.network.model.types;
        let size = last as u32 + 1;
        types.domains.push(Domain { name: String::new(), kind: DomainKind::Ring, size, span: name.span });
        let domain = DomainId(types.domains.len() as u32 - 1);
        types.add(None, TypeKind::Scalarset(domain))
    }

    /// `(x + k) % N` of an element of a ring; nothing if it is another sum.
    pub(super) fn turned(&mut self, sum: &ast::Expr, modulus: &ast::Expr, span: Span) -> Option<Expr> {
        if self.rings.is_empty()
            || !matches!(
                sum.kind,
                ast::ExprKind::Binary(Binary::Arith(ArithOp::Add) | Binary::Arith(ArithOp::Sub), ..)
            )
        {
            return None;
        }
        let (errors, effects) = (self.diagnostics.len(), self.before.len());
        let found = self.element_and_distance(sum).and_then(|(element, by)| {
            let size = self.types().ring(element.ty)?;
            let around = self.value(modulus)?;
            let ExprKind::Const(modulus) = around.kind else { return None };
            let ty = element.ty;
            let by = by.rem_euclid(i64::from(size)) as u32;
            (modulus == i64::from(size)).then_some(Expr {
                kind: ExprKind::Rotate(Box::new(element), by),
                ty,
                span,
            })
        });
        if found.is_none() {
            // Read again, as numbers.
            self.diagnostics.truncate(errors);
            self.before.truncate(effects);
        }
        found
    }

    fn element_and_distance(&mut self, expr: &ast::Expr) -> Option<(Expr, i64)> {
        if let ast::ExprKind::Binary(op @ (Binary::Arith(ArithOp::Add) | Binary::Arith(ArithOp::Sub)), a, b) =
            &expr.kind
        {
            let (element, distance) = self.element_and_distance(a)?;
            let ExprKind::Const(by) = self.value(b)?.kind else { return None };
            return Some((
                element,
                if *op == Binary::Arith(ArithOp::Add) { distance + by } else { distance - by },
            ));
        }
        let element = self.value(expr)?;
        self.types().ring(element.ty).is_some().then_some((element, 0))
    }
}
