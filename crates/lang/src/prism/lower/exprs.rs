//! Expressions: names, types, and what is known before the model runs.
//!
//! Constant parts are evaluated here. A part that has no value (`pow(2,-1)`) is left as it is: it may stand behind a
//! condition that never lets it be reached.

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::chance::{Binary, Expr, Function, Type, Value, eval};

use super::super::ast::{self, ExprKind};
use super::{Lower, error};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// The renamings that a module went through, the first one first.
pub(super) type Maps<'m> = &'m [HashMap<String, String>];

impl Lower<'_> {
    pub(super) fn expr(&self, tree: &ast::Expr, maps: Maps) -> Read<Expr> {
        Ok(fold(match &*tree.kind {
            ExprKind::Bool(b) => Expr::Bool(*b),
            ExprKind::Int(i) => Expr::Int(*i),
            ExprKind::Real(r) => Expr::Real(r.clone()),
            ExprKind::Name(name) => return self.named(name, tree.span, maps),
            ExprKind::Quoted(name) => return self.quoted(name, tree.span),
            ExprKind::Not(e) => Expr::Not(Box::new(self.condition(e, maps)?)),
            ExprKind::Neg(e) => Expr::Neg(Box::new(self.number(e, maps)?)),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = self.operands(*op, a, b, maps)?;
                Expr::Binary(*op, Box::new(x), Box::new(y))
            }
            ExprKind::If(c, a, b) => {
                let (condition, x, y) = (self.condition(c, maps)?, self.expr(a, maps)?, self.expr(b, maps)?);
                let is_bool = |e: &Expr| e.kind(&self.model) == Type::Bool;
                if is_bool(&x) != is_bool(&y) {
                    let message = "the two values of this choice are of different types";
                    return Err(error(codes::BRANCH_TYPES, tree.span, message));
                }
                Expr::If(Box::new([condition, x, y]))
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, maps)?,
            ExprKind::Temporal(..) => {
                let message = "a temporal operator outside `P … [ ]`, `A [ ]` or `E [ ]`";
                return Err(error(codes::TEMPORAL_OPERATOR, tree.span, message));
            }
            _ => return self.operator(tree).map(|operator| Expr::Nested(Box::new(operator))),
        }))
    }

    /// An expression that must be a truth value.
    pub(super) fn condition(&self, tree: &ast::Expr, maps: Maps) -> Read<Expr> {
        let found = self.expr(tree, maps)?;
        match found.kind(&self.model) {
            Type::Bool => Ok(found),
            other => {
                let message = format!("expected a condition, found a value of type {}", other.word());
                Err(error(codes::NOT_BOOLEAN, tree.span, message))
            }
        }
    }

    /// An expression that must be a number.
    pub(super) fn number(&self, tree: &ast::Expr, maps: Maps) -> Read<Expr> {
        let found = self.expr(tree, maps)?;
        if found.kind(&self.model) == Type::Bool {
            let found = error(codes::NOT_INTEGER, tree.span, "expected a number, found a condition");
            return Err(Box::new(found.help("`condition ? 1 : 0` makes a number of a condition")));
        }
        Ok(found)
    }

    fn operands(&self, op: Binary, a: &ast::Expr, b: &ast::Expr, maps: Maps) -> Read<(Expr, Expr)> {
        if op.connects() {
            return Ok((self.condition(a, maps)?, self.condition(b, maps)?));
        }
        if !matches!(op, Binary::Eq | Binary::Ne) {
            return Ok((self.number(a, maps)?, self.number(b, maps)?));
        }
        let (x, y) = (self.expr(a, maps)?, self.expr(b, maps)?);
        let (left, right) = (x.kind(&self.model), y.kind(&self.model));
        if (left == Type::Bool) != (right == Type::Bool) {
            let message = format!("values of types {} and {} cannot be compared", left.word(), right.word());
            return Err(error(codes::NOT_COMPARABLE, Span { start: a.span.start, end: b.span.end }, message));
        }
        Ok((x, y))
    }

    fn call(&self, name: &ast::Name, arguments: &[ast::Expr], maps: Maps) -> Read<Expr> {
        // `min` and `max` may be renamed to each other.
        let renamed =
            maps.iter().fold(name.text.clone(), |name, map| map.get(&name).cloned().unwrap_or(name));
        let Some(function) = Function::named(&renamed) else {
            let message = format!("there is no function `{renamed}`");
            let found = Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, message);
            return Err(Box::new(
                found.help("the functions are min, max, floor, ceil, round, pow, mod and log"),
            ));
        };
        let fits = match function {
            Function::Min | Function::Max => !arguments.is_empty(),
            Function::Floor | Function::Ceil | Function::Round => arguments.len() == 1,
            Function::Pow | Function::Mod | Function::Log => arguments.len() == 2,
        };
        if !fits {
            let wanted =
                if matches!(function, Function::Pow | Function::Mod | Function::Log) { "two" } else { "one" };
            let message = format!("`{renamed}` has {} arguments, it takes {wanted}", arguments.len());
            return Err(error(codes::ARGUMENT_COUNT, name.span, message));
        }
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.number(argument, maps)?;
            if function == Function::Mod && value.kind(&self.model) != Type::Int {
                return Err(error(codes::NOT_INTEGER, argument.span, "`mod` is for whole numbers"));
            }
            values.push(value);
        }
        Ok(Expr::Call(function, values))
    }

    /// A name: of a formula, a variable or a constant, after renaming. Formulas are expanded first.
    fn named(&self, name: &str, span: Span, maps: Maps) -> Read<Expr> {
        let mut current = name.to_owned();
        for (level, map) in maps.iter().enumerate() {
            match map.get(&current) {
                Some(renamed) => current = renamed.clone(),
                None if self.formulas.contains_key(current.as_str()) => {
                    return self.formula(&current, span, &maps[level..]);
                }
                None => {}
            }
        }
        if self.formulas.contains_key(current.as_str()) {
            return self.formula(&current, span, &[]);
        }
        if let Some(variable) = self.names.get(&current) {
            return Ok(Expr::Var(*variable));
        }
        if let Some(value) = self.constant(&current, span)? {
            return Ok(literal(value));
        }
        let message = format!("`{current}` is not declared");
        let mut found = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        let known = self.names.keys().map(String::as_str).chain(self.constants.keys().copied());
        if self.labels.contains_key(current.as_str()) {
            found = found.help(format!("the label is written in quotes: \"{current}\""));
        } else if let Some(near) = nearest(&current, known) {
            found = found.help(format!("there is `{near}`"));
        }
        Err(Box::new(found))
    }

    fn formula(&self, name: &str, span: Span, maps: Maps) -> Read<Expr> {
        let body = self.formulas[name];
        self.expanded(name, span, || self.expr(body, maps))
    }

    /// Expands something that has a name, unless that is being done.
    pub(super) fn expanded<T>(&self, name: &str, span: Span, expand: impl FnOnce() -> Read<T>) -> Read<T> {
        if self.expanding.borrow().iter().any(|known| known == name) {
            return Err(error(codes::CYCLIC_DEFINITION, span, format!("`{name}` is defined by itself")));
        }
        self.expanding.borrow_mut().push(name.to_owned());
        let found = expand();
        self.expanding.borrow_mut().pop();
        found
    }

    fn quoted(&self, name: &str, span: Span) -> Read<Expr> {
        match name {
            "init" => return Ok(Expr::IsInitial),
            "deadlock" => return Ok(Expr::IsDeadlock),
            _ => {}
        }
        if let Some(body) = self.labels.get(name) {
            return self.expanded(&format!("\"{name}\""), span, || self.condition(body, &[]));
        }
        if let Some(body) = self.properties.get(name) {
            return self.expanded(&format!("\"{name}\""), span, || self.expr(body, &[]));
        }
        let message = format!("there is no label or property \"{name}\"");
        let mut found = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        if let Some(near) = nearest(name, self.labels.keys().copied()) {
            found = found.help(format!("there is the label \"{near}\""));
        }
        Err(Box::new(found))
    }
}

/// The known name that differs least, if it is by at most two letters.
fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let distance = |other: &str| -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (name.chars().collect(), other.chars().collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let best = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = best;
            }
        }
        row[b.len()]
    };
    let best = known.map(|other| (distance(other), other)).min()?;
    (best.0 <= 2 && best.0 < name.len()).then_some(best.1)
}

/// A value as an expression.
pub(super) fn literal(value: Value) -> Expr {
    match value {
        Value::Bool(b) => Expr::Bool(b),
        Value::Int(i) => Expr::Int(i),
        Value::Real(r) => Expr::Real(r),
    }
}

/// The same, with constant parts evaluated.
pub(super) fn fold(expr: Expr) -> Expr {
    let constant = |e: &Expr| matches!(e, Expr::Bool(_) | Expr::Int(_) | Expr::Real(_));
    let known = match &expr {
        Expr::Not(e) | Expr::Neg(e) => constant(e),
        Expr::Binary(Binary::And, a, _) if matches!(**a, Expr::Bool(false)) => return Expr::Bool(false),
        Expr::Binary(Binary::Or, a, _) if matches!(**a, Expr::Bool(true)) => return Expr::Bool(true),
        Expr::Binary(Binary::Implies, a, _) if matches!(**a, Expr::Bool(false)) => return Expr::Bool(true),
        Expr::Binary(Binary::And, a, b) if matches!(**a, Expr::Bool(true)) => return (**b).clone(),
        Expr::Binary(Binary::Or, a, b) if matches!(**a, Expr::Bool(false)) => return (**b).clone(),
        Expr::Binary(Binary::Implies, a, b) if matches!(**a, Expr::Bool(true)) => return (**b).clone(),
        Expr::Binary(Binary::And, a, b) if matches!(**b, Expr::Bool(true)) => return (**a).clone(),
        Expr::Binary(Binary::Or, a, b) if matches!(**b, Expr::Bool(false)) => return (**a).clone(),
        Expr::Binary(_, a, b) => constant(a) && constant(b),
        Expr::If(parts) => {
            if let Expr::Bool(b) = parts[0] {
                // A choice between a whole and a real number is real.
                let (taken, other) = if b { (&parts[1], &parts[2]) } else { (&parts[2], &parts[1]) };
                return match (taken, other) {
                    (Expr::Int(i), Expr::Real(_)) => Expr::Real((*i).into()),
                    _ => taken.clone(),
                };
            }
            false
        }
        Expr::Call(_, arguments) => arguments.iter().all(constant),
        _ => false,
    };
    if !known {
        return expr;
    }
    match eval(&expr, &[], &|_| false) {
        Ok(value) => literal(value),
        Err(_) => expr,
    }
}
