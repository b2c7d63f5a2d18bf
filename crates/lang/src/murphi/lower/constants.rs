//! What can be computed before the model runs, and constants given from outside.

use burnside_model::Span;
use burnside_model::code::{ArithOp, Expr, ExprKind, LogicOp, TypeId, Types};
use burnside_model::system::Constant;

use super::Lowerer;
use super::scope::{Space, Symbol};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

/// Constants given from outside.
pub(super) struct Overrides {
    given: Vec<(String, String, bool)>,
    known: Vec<String>,
}

impl Overrides {
    pub(super) fn new(given: &[(String, String)]) -> Self {
        let given = given.iter().map(|(name, value)| (name.clone(), value.clone(), false)).collect();
        Overrides { given, known: Vec::new() }
    }

    /// The value given for a constant that is being declared; the last one counts.
    fn take(&mut self, name: &str) -> Option<String> {
        self.known.push(name.to_owned());
        let mut found = None;
        for (given, value, used) in &mut self.given {
            if given == name {
                *used = true;
                found = Some(value.clone());
            }
        }
        found
    }

    /// The names for which there was no constant, with those that there were.
    pub(super) fn unused(&self) -> Vec<(String, Vec<String>)> {
        let unused = self.given.iter().filter(|(_, _, used)| !used);
        unused.map(|(name, _, _)| (name.clone(), self.known.clone())).collect()
    }
}

impl Lowerer<'_> {
    /// Declares a constant.
    pub(super) fn constant_decl(&mut self, name: &ast::Ident, value: &ast::Expr, global: bool) {
        let given = if global { self.overrides.take(&name.name) } else { None };
        let Some((mut number, ty)) = self.constant(value) else {
            self.declare_name(Space::Value, name, Symbol::Broken);
            return;
        };
        if let Some(text) = given {
            match self.override_value(&text, ty) {
                Some(given) => number = given,
                None => self.bad_override(name, &text, ty),
            }
        }
        if global {
            self.model.constants.push(Constant { name: name.name.clone(), value: number, ty });
        }
        self.declare_name(Space::Value, name, Symbol::Constant { value: number, ty });
    }

    fn bad_override(&mut self, name: &ast::Ident, text: &str, ty: TypeId) {
        let (wanted, help) = if self.types().is_integer(ty) {
            ("an integer of 64 bits".to_owned(), format!("write a number, as in -D {}=4", name.name))
        } else {
            let (lo, hi) = self.types().bounds(ty);
            let values: Vec<_> = (lo..=hi).take(20).map(|value| self.types().show(ty, value)).collect();
            (
                format!("a value of type `{}`", self.describe(ty)),
                format!("its values are: {}", values.join(", ")),
            )
        };
        let message = format!("`{text}`, given for the constant `{}`, is not {wanted}", name.name);
        let error = Diagnostic::error(codes::BAD_OVERRIDE, name.span, message);
        self.report(error.label("declared here").help(help));
    }

    fn override_value(&self, text: &str, ty: TypeId) -> Option<i64> {
        let text = text.trim();
        if self.types().is_integer(ty) {
            let (sign, digits) = match text.strip_prefix('-') {
                Some(digits) => (-1, digits),
                None => (1, text),
            };
            let number = match digits.strip_prefix("0x") {
                Some(hex) => i64::from_str_radix(hex, 16).ok()?,
                // As in the model: a leading zero means octal.
                None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
                None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse::<i64>().ok()?,
                None => return None,
            };
            return Some(sign * number);
        }
        let (lo, hi) = self.types().bounds(ty);
        (lo..=hi).find(|value| self.types().show(ty, *value).eq_ignore_ascii_case(text))
    }

    /// The value of an expression that must be constant.
    pub(super) fn constant(&mut self, e: &ast::Expr) -> Option<(i64, TypeId)> {
        let expr = self.simple(e)?;
        let value = self.constant_value(&expr)?;
        Some((value, expr.ty))
    }

    /// The value of a constant integer.
    pub(super) fn constant_integer(&mut self, e: &ast::Expr) -> Option<i64> {
        let expr = self.integer(e)?;
        self.constant_value(&expr)
    }

    fn constant_value(&mut self, expr: &Expr) -> Option<i64> {
        match fold(self.types(), expr) {
            Folded::Value(value) => Some(value),
            Folded::Variable => {
                let message = "this is not a constant: its value is not known before the model runs";
                let error = Diagnostic::error(codes::NOT_CONSTANT, expr.span, message);
                self.report(error.help("use numbers, constants and operators on them"));
                None
            }
            Folded::Wrong(span, message) => self.error(codes::CONSTANT_ARITHMETIC, span, message),
        }
    }
}

/// What folding gives.
pub(super) enum Folded {
    Value(i64),
    /// It depends on the state.
    Variable,
    /// It has no value, because of this part of it.
    Wrong(Span, &'static str),
}

/// Computes an expression without a state.
pub(super) fn fold(types: &Types, expr: &Expr) -> Folded {
    match try_fold(types, expr) {
        Ok(Some(value)) => Folded::Value(value),
        Ok(None) => Folded::Variable,
        Err((span, message)) => Folded::Wrong(span, message),
    }
}

const OVERFLOW: &str = "the value of this constant does not fit in 64 bits";

fn try_fold(types: &Types, expr: &Expr) -> Result<Option<i64>, (Span, &'static str)> {
    macro_rules! value {
        ($e:expr) => {
            match try_fold(types, $e)? {
                Some(value) => value,
                None => return Ok(None),
            }
        };
    }
    let bounded = |value: Option<i64>| value.filter(|v| *v != i64::MIN).ok_or((expr.span, OVERFLOW));
    Ok(Some(match &expr.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Not(e) => i64::from(value!(e) == 0),
        ExprKind::Neg(e) => bounded(value!(e).checked_neg())?,
        ExprKind::BitNot(e) => bounded(Some(!value!(e)))?,
        ExprKind::Arith(op, a, b) => {
            let b_span = b.span;
            let (a, b) = match (op, try_fold(types, a)?, try_fold(types, b)?) {
                (_, Some(a), Some(b)) => (a, b),
                // Zero, whatever the other side is.
                (ArithOp::Mul | ArithOp::And, Some(0), None)
                | (ArithOp::Mul | ArithOp::And, None, Some(0)) => (0, 0),
                (ArithOp::Div | ArithOp::Mod | ArithOp::Shl | ArithOp::Shr, Some(0), None) => (0, 1),
                _ => return Ok(None),
            };
            if op.divides() && b == 0 {
                return Err((b_span, "this divides by zero"));
            }
            bounded(op.apply(a, b))?
        }
        ExprKind::Order(op, a, b) => {
            let (a, b) = (value!(a), value!(b));
            i64::from(op.apply(a, b))
        }
        ExprKind::Logic(op, a, b) => {
            let (a, b) = (value!(a) != 0, value!(b) != 0);
            i64::from(match op {
                LogicOp::And => a && b,
                LogicOp::Or => a || b,
                LogicOp::Implies => !a || b,
            })
        }
        ExprKind::Eq(a, b) => i64::from(value!(a) == value!(b)),
        ExprKind::Ne(a, b) => i64::from(value!(a) != value!(b)),
        ExprKind::Cond(c, a, b) => {
            if value!(c) != 0 {
                value!(a)
            } else {
                value!(b)
            }
        }
        ExprKind::Rotate(e, by) => (value!(e) + i64::from(*by)).rem_euclid(types.bounds(expr.ty).1 + 1),
        ExprKind::Convert(e) => {
            let value = value!(e);
            match types.union_offset(expr.ty, e.ty) {
                Some(offset) => offset + value - types.bounds(e.ty).0,
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}
