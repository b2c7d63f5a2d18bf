//! The meaning of expressions, simply and exactly. Engines compile expressions to something faster and agree with this.

use super::{Binary, Expr, Function, Real};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Real(Real),
}

impl Value {
    /// The truth value; of a number: whether it is not zero.
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Int(i) => *i != 0,
            Value::Real(r) => r.to_f64() != 0.0,
        }
    }

    /// The number; truth values are 0 and 1.
    pub fn real(&self) -> Real {
        match self {
            Value::Bool(b) => Real::from(i64::from(*b)),
            Value::Int(i) => Real::from(*i),
            Value::Real(r) => r.clone(),
        }
    }
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A whole number left 64 bits.
    Overflow,
    /// A whole number to a negative power.
    NegativeExponent,
    /// `mod` by zero or less.
    BadModulus,
    /// A real number without a whole number near it.
    NotWhole,
    /// An operator of a property where only states are looked at.
    NotPlain,
}

impl Fault {
    /// What is wrong, in words.
    pub fn message(self) -> &'static str {
        match self {
            Fault::Overflow => "arithmetic leaves 64 bits",
            Fault::NegativeExponent => {
                "a whole number has a negative exponent; write one of the two as a double, such as `pow(2, -1.0)`"
            }
            Fault::BadModulus => "the second argument of `mod` is not positive",
            Fault::NotWhole => "an infinite number, or one too large, is rounded to a whole number",
            Fault::NotPlain => "an operator such as `P=?` cannot stand here",
        }
    }
}

/// The value of an expression in a state.
pub fn eval(expr: &Expr, state: &[i64], boolean: &impl Fn(u32) -> bool) -> Result<Value, Fault> {
    let go = |e: &Expr| eval(e, state, boolean);
    Ok(match expr {
        Expr::Bool(b) => Value::Bool(*b),
        Expr::Int(i) => Value::Int(*i),
        Expr::Real(r) => Value::Real(r.clone()),
        Expr::Var(v) => {
            let value = state[*v as usize];
            if boolean(*v) { Value::Bool(value != 0) } else { Value::Int(value) }
        }
        Expr::Not(e) => Value::Bool(!go(e)?.truth()),
        Expr::Neg(e) => match go(e)? {
            Value::Int(i) => Value::Int(i.checked_neg().ok_or(Fault::Overflow)?),
            other => Value::Real(Real::from(0).sub(&other.real())),
        },
        Expr::Binary(Binary::And, a, b) => Value::Bool(go(a)?.truth() && go(b)?.truth()),
        Expr::Binary(Binary::Or, a, b) => Value::Bool(go(a)?.truth() || go(b)?.truth()),
        Expr::Binary(Binary::Implies, a, b) => Value::Bool(!go(a)?.truth() || go(b)?.truth()),
        Expr::Binary(op, a, b) => binary(*op, &go(a)?, &go(b)?)?,
        Expr::If(parts) => go(if go(&parts[0])?.truth() { &parts[1] } else { &parts[2] })?,
        Expr::Call(function, arguments) => {
            let values = arguments.iter().map(go).collect::<Result<Vec<_>, _>>()?;
            call(*function, &values)?
        }
        Expr::IsInitial | Expr::IsDeadlock | Expr::Nested(_) | Expr::Column(..) => {
            return Err(Fault::NotPlain);
        }
    })
}

/// A strict operator on two values.
pub(super) fn binary(op: Binary, a: &Value, b: &Value) -> Result<Value, Fault> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let result = match op {
            Binary::Add => a.checked_add(*b),
            Binary::Sub => a.checked_sub(*b),
            Binary::Mul => a.checked_mul(*b),
            _ => None,
        };
        if let Some(result) = result {
            return Ok(Value::Int(result));
        }
        if matches!(op, Binary::Add | Binary::Sub | Binary::Mul) {
            return Err(Fault::Overflow);
        }
    }
    let (x, y) = (a.real(), b.real());
    let order = || x.compare(&y);
    Ok(match op {
        Binary::Iff | Binary::Eq => Value::Bool(order() == Some(Equal)),
        Binary::Ne => Value::Bool(order() != Some(Equal)),
        Binary::Lt => Value::Bool(order() == Some(Less)),
        Binary::Le => Value::Bool(matches!(order(), Some(Less | Equal))),
        Binary::Gt => Value::Bool(order() == Some(Greater)),
        Binary::Ge => Value::Bool(matches!(order(), Some(Greater | Equal))),
        Binary::Add => Value::Real(x.add(&y)),
        Binary::Sub => Value::Real(x.sub(&y)),
        Binary::Mul => Value::Real(x.mul(&y)),
        Binary::Div => Value::Real(x.div(&y)),
        Binary::And => Value::Bool(a.truth() && b.truth()),
        Binary::Or => Value::Bool(a.truth() || b.truth()),
        Binary::Implies => Value::Bool(!a.truth() || b.truth()),
    })
}

fn call(function: Function, values: &[Value]) -> Result<Value, Fault> {
    let whole = |found: Option<i64>| found.map(Value::Int).ok_or(Fault::NotWhole);
    match function {
        Function::Min | Function::Max => {
            let wanted = if function == Function::Min {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Greater
            };
            let mut best = values[0].clone();
            for value in &values[1..] {
                if value.real().compare(&best.real()) == Some(wanted) {
                    best = value.clone();
                }
            }
            let real = values.iter().any(|v| matches!(v, Value::Real(_)));
            Ok(if real { Value::Real(best.real()) } else { best })
        }
        Function::Floor => whole(values[0].real().floor()),
        Function::Ceil => whole(values[0].real().ceil()),
        Function::Round => whole(values[0].real().round()),
        Function::Pow => match (&values[0], &values[1]) {
            (Value::Int(_), Value::Int(n)) if *n < 0 => Err(Fault::NegativeExponent),
            (Value::Int(base), Value::Int(n)) => {
                let power = u32::try_from(*n).ok().and_then(|n| base.checked_pow(n));
                power.map(Value::Int).ok_or(Fault::Overflow)
            }
            (base, power) => Ok(Value::Real(base.real().pow(&power.real()))),
        },
        Function::Mod => match (&values[0], &values[1]) {
            (Value::Int(a), Value::Int(n)) if *n > 0 => Ok(Value::Int(a.rem_euclid(*n))),
            _ => Err(Fault::BadModulus),
        },
        Function::Log => {
            let (x, base) = (values[0].real().to_f64(), values[1].real().to_f64());
            Ok(Value::Real(Real::Float(x.ln() / base.ln())))
        }
    }
}
