//! The values of constants: from outside, or from their definitions, which may use each other in any order.

use burnside_model::Span;
use burnside_model::chance::{Expr, Value};

use super::super::ast::ConstType;
use super::super::parser;
use super::{Lower, error};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

impl Lower<'_> {
    /// The value of a constant, if there is one of this name; `used` is where it is needed.
    pub(super) fn constant(&self, name: &str, used: Span) -> Read<Option<Value>> {
        let Some(constant) = self.constants.get(name) else { return Ok(None) };
        match self.values.borrow().get(name) {
            Some(Some(value)) => return Ok(Some(value.clone())),
            Some(None) => {
                let message = format!("the constant `{name}` is defined by itself");
                return Err(error(codes::CYCLIC_DEFINITION, constant.name.span, message));
            }
            None => {}
        }
        self.values.borrow_mut().insert(name.to_owned(), None);
        let found = self.value(name, used);
        match &found {
            Ok(value) => self.values.borrow_mut().insert(name.to_owned(), Some(value.clone())),
            Err(_) => self.values.borrow_mut().remove(name),
        };
        found.map(Some)
    }

    fn value(&self, name: &str, used: Span) -> Read<Value> {
        let constant = self.constants[name];
        let span = constant.value.as_ref().map_or(constant.name.span, |value| value.span);
        let given = self.given.iter().rev().find(|(known, _)| known == name);
        let value = if let Some((_, text)) = given {
            let bad = |why: &str| {
                let message = format!("`{text}` is no value for the constant `{name}`{why}");
                error(codes::BAD_OVERRIDE, constant.name.span, message)
            };
            let tree = parser::expression(text).map_err(|_| bad(""))?;
            match self.expr(&tree, &[]).map_err(|d| bad(&format!(": {}", d.message)))? {
                Expr::Bool(b) => Value::Bool(b),
                Expr::Int(i) => Value::Int(i),
                Expr::Real(r) => Value::Real(r),
                _ => return Err(bad("")),
            }
        } else if let Some(definition) = &constant.value {
            match self.expr(definition, &[])? {
                Expr::Bool(b) => Value::Bool(b),
                Expr::Int(i) => Value::Int(i),
                Expr::Real(r) => Value::Real(r),
                other => {
                    return Err(self.not_constant(&other, span));
                }
            }
        } else {
            let message = format!("the constant `{name}` has no value");
            let found = Diagnostic::error(codes::UNDEFINED_CONSTANT, constant.name.span, message);
            let found = if used == constant.name.span { found } else { found.also(used, "needed here") };
            return Err(Box::new(found.help(format!("give it one: `-D {name}=…`"))));
        };
        Ok(match (constant.kind, value) {
            (ConstType::Int, Value::Int(i)) => Value::Int(i),
            (ConstType::Bool, Value::Bool(b)) => Value::Bool(b),
            (ConstType::Double, value @ (Value::Int(_) | Value::Real(_))) => Value::Real(value.real()),
            (wanted, value) => {
                let wanted = match wanted {
                    ConstType::Int => "int",
                    ConstType::Double => "double",
                    ConstType::Bool => "bool",
                };
                let found = match value {
                    Value::Bool(_) => "bool",
                    Value::Int(_) => "int",
                    Value::Real(_) => "double",
                };
                let code = if given.is_some() { codes::BAD_OVERRIDE } else { codes::ASSIGNMENT_TYPE };
                let message = format!("the constant `{name}` is of type {wanted}, its value of type {found}");
                return Err(error(code, span, message));
            }
        })
    }

    /// Says why an expression has no value before the model runs.
    pub(super) fn not_constant(&self, expr: &Expr, span: Span) -> Box<Diagnostic> {
        if expr.support().is_empty() && expr.is_plain() {
            let fault = burnside_model::chance::eval(expr, &[], &|_| false).err();
            let why = fault.map_or("it has no value", |fault| fault.message());
            return error(codes::CONSTANT_ARITHMETIC, span, format!("this cannot be computed: {why}"));
        }
        error(codes::NOT_CONSTANT, span, "this must be known before the model runs")
    }

    /// A whole number that is known before the model runs.
    pub(super) fn constant_int(&self, tree: &super::ast::Expr) -> Read<i64> {
        match self.expr(tree, &[])? {
            Expr::Int(i) => Ok(i),
            Expr::Real(_) | Expr::Bool(_) => {
                let found = error(codes::NOT_INTEGER, tree.span, "this must be a whole number");
                Err(Box::new(found.help("`floor`, `ceil` and `round` make one of a double")))
            }
            other => Err(self.not_constant(&other, tree.span)),
        }
    }
}
