//! Formulas over columns, with bounds where numbers have them.

use burnside_model::Span;
use burnside_model::chance::{Binary, Expr, Function, Real, Value, eval};

use super::column::{Number, Val};
use super::{Checked, Checker, Trouble};
use crate::code::booleans;
use crate::step::{ProblemKind, problem};

impl Checker<'_> {
    /// The value of a resolved formula in a state.
    pub(super) fn value(&self, expr: &Expr, number: usize, state: &[i64], span: Span) -> Checked<Val> {
        let go = |e: &Expr| self.value(e, number, state, span);
        let fault = |fault: burnside_model::chance::Fault| {
            Trouble::from(problem(ProblemKind::Arithmetic, fault.message().to_owned(), span, state))
        };
        let truth = |e: &Expr| Ok::<bool, Trouble>(go(e)? == Val::Bool(true));
        Ok(match expr {
            Expr::Column(index, _) => self.columns[*index as usize].at(number),
            Expr::Not(e) => Val::Bool(!truth(e)?),
            Expr::Binary(Binary::And, a, b) => Val::Bool(truth(a)? && truth(b)?),
            Expr::Binary(Binary::Or, a, b) => Val::Bool(truth(a)? || truth(b)?),
            Expr::Binary(Binary::Implies, a, b) => Val::Bool(!truth(a)? || truth(b)?),
            Expr::If(parts) => go(if truth(&parts[0])? { &parts[1] } else { &parts[2] })?,
            e if e.is_plain() => match eval(e, state, &booleans(self.model)).map_err(fault)? {
                Value::Bool(value) => Val::Bool(value),
                value => Val::Number(Number::Exact(value.real())),
            },
            Expr::Neg(e) => {
                Val::Number(arithmetic(Binary::Sub, &Number::Exact(Real::from(0)), &numeric(&go(e)?)))
            }
            Expr::Binary(op, a, b) => {
                let (x, y) = (go(a)?, go(b)?);
                if let (Val::Bool(x), Val::Bool(y)) = (&x, &y) {
                    return Ok(Val::Bool(if *op == Binary::Ne { x != y } else { x == y }));
                }
                let (x, y) = (numeric(&x), numeric(&y));
                if op.is_boolean() {
                    Val::Bool(ordered(*op, &x, &y).ok_or(Trouble::Undecided(span))?)
                } else {
                    Val::Number(arithmetic(*op, &x, &y))
                }
            }
            Expr::Call(function, arguments) => {
                let values: Vec<Number> =
                    arguments.iter().map(|e| Ok::<_, Trouble>(numeric(&go(e)?))).collect::<Result<_, _>>()?;
                Val::Number(self.call(*function, arguments, &values, span)?)
            }
            _ => return Err(Trouble::Undecided(span)),
        })
    }

    fn call(&self, function: Function, sources: &[Expr], values: &[Number], span: Span) -> Checked<Number> {
        let exactly = |values: &[Real]| {
            let kinds = sources.iter().map(|e| e.kind(self.model) == burnside_model::chance::Type::Int);
            let literals = values.iter().zip(kinds).map(|(value, int)| match value.floor() {
                Some(i) if int => Expr::Int(i),
                _ => Expr::Real(value.clone()),
            });
            let value = eval(&Expr::Call(function, literals.collect()), &[], &|_| false);
            value.map(|value| value.real()).map_err(|fault| {
                Trouble::from(problem(ProblemKind::Arithmetic, fault.message().to_owned(), span, &[]))
            })
        };
        let exact: Option<Vec<Real>> = values
            .iter()
            .map(|value| match value {
                Number::Exact(value) => Some(value.clone()),
                Number::Bounds(..) => None,
            })
            .collect();
        if let Some(exact) = exact {
            return Ok(Number::Exact(exactly(&exact)?));
        }
        match function {
            Function::Min | Function::Max => {
                let least = function == Function::Min;
                let first = values[0].clone();
                Ok(values[1..].iter().fold(first, |best, value| extreme(&best, value, least)))
            }
            _ => {
                // Monotone in the first argument, the others are exact; both ends must agree for whole results.
                let ends = |low: bool| -> Checked<f64> {
                    let ends: Vec<Real> =
                        values.iter().map(|v| Real::Float(if low { v.low() } else { v.high() })).collect();
                    let rounded: Vec<Real> = ends
                        .iter()
                        .map(|end| match end {
                            Real::Float(x) if (x - x.round()).abs() < 1e-9 => Real::Float(x.round()),
                            other => other.clone(),
                        })
                        .collect();
                    Ok(exactly(&rounded)?.to_f64())
                };
                let (low, high) = (ends(true)?, ends(false)?);
                let whole =
                    matches!(function, Function::Floor | Function::Ceil | Function::Round | Function::Mod);
                if whole && low != high {
                    return Err(Trouble::Undecided(span));
                }
                Ok(Number::Bounds(low.min(high), low.max(high)))
            }
        }
    }
}

fn numeric(value: &Val) -> Number {
    match value {
        Val::Number(number) => number.clone(),
        Val::Bool(value) => Number::Exact(Real::from(i64::from(*value))),
    }
}

/// The lesser or the greater of two numbers, bound by bound.
pub(super) fn extreme(a: &Number, b: &Number, least: bool) -> Number {
    if let (Number::Exact(x), Number::Exact(y)) = (a, b) {
        let smaller = x.compare(y) != Some(std::cmp::Ordering::Greater);
        return if smaller == least { a.clone() } else { b.clone() };
    }
    if least {
        Number::Bounds(a.low().min(b.low()), a.high().min(b.high()))
    } else {
        Number::Bounds(a.low().max(b.low()), a.high().max(b.high()))
    }
}

/// Arithmetic with bounds.
pub(super) fn arithmetic(op: Binary, a: &Number, b: &Number) -> Number {
    if let (Number::Exact(x), Number::Exact(y)) = (a, b) {
        return Number::Exact(match op {
            Binary::Add => x.add(y),
            Binary::Sub => x.sub(y),
            Binary::Mul => x.mul(y),
            _ => x.div(y),
        });
    }
    let of = |x: f64, y: f64| match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        _ => x / y,
    };
    if op == Binary::Div && b.low() <= 0.0 && b.high() >= 0.0 && b.low() != b.high() {
        return Number::Bounds(f64::NEG_INFINITY, f64::INFINITY);
    }
    let ends = [of(a.low(), b.low()), of(a.low(), b.high()), of(a.high(), b.low()), of(a.high(), b.high())];
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    Number::Bounds(low, ends.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn ordered(op: Binary, a: &Number, b: &Number) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (a, b) {
        (Number::Exact(x), Number::Exact(y)) => x.compare(y)?,
        _ if a.high() < b.low() => Less,
        _ if a.low() > b.high() => Greater,
        _ if a.low() == a.high() && b.low() == b.high() => Equal,
        _ => return None,
    };
    Some(match op {
        Binary::Eq | Binary::Iff => order == Equal,
        Binary::Ne => order != Equal,
        Binary::Lt => order == Less,
        Binary::Le => order != Greater,
        Binary::Gt => order == Greater,
        _ => order != Less,
    })
}
