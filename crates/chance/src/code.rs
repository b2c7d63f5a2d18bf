//! Expressions compiled to small trees over the unpacked state: whole numbers and truth values as `i64`, reals as `f64`.
//!
//! What is common (`x=3`, conjunctions, sums) has a node of its own. Comparisons of real numbers go through the exact
//! reference semantics, so that rounding never changes which commands are enabled.

use burnside_model::chance::{Binary, Expr, Fault, Function, Model, Real, Type, eval};

/// An expression of type bool or int.
#[derive(Clone, Debug)]
pub enum Code {
    Const(i64),
    Var(u32),
    /// `x = c`.
    Is(u32, i64),
    Not(Box<Code>),
    Neg(Box<Code>),
    All(Vec<Code>),
    Any(Vec<Code>),
    /// A comparison or arithmetic.
    Binary(Binary, Box<Code>, Box<Code>),
    If(Box<[Code; 3]>),
    /// A function of whole numbers.
    Call(Function, Vec<Code>),
    /// Anything with real numbers inside.
    Slow(Box<Expr>),
}

/// An expression of type double.
#[derive(Clone, Debug)]
pub enum RealCode {
    Const(f64),
    Whole(Code),
    Binary(Binary, Box<RealCode>, Box<RealCode>),
    If(Box<(Code, RealCode, RealCode)>),
    /// The least (true) or greatest.
    Extreme(bool, Vec<RealCode>),
    /// Anything else.
    Slow(Box<Expr>),
}

/// Which variables are booleans.
pub(crate) fn booleans(model: &Model) -> impl Fn(u32) -> bool + '_ {
    |variable| model.variables[variable as usize].boolean
}

fn flattened(op: Binary, expr: &Expr, model: &Model, found: &mut Vec<Code>) {
    match expr {
        Expr::Binary(same, a, b) if *same == op => {
            flattened(op, a, model, found);
            flattened(op, b, model, found);
        }
        _ => found.push(Code::new(expr, model)),
    }
}

impl Code {
    /// Compiles an expression of type bool or int.
    pub fn new(expr: &Expr, model: &Model) -> Code {
        let go = |e: &Expr| Box::new(Code::new(e, model));
        let real = |e: &Expr| e.kind(model) == Type::Real;
        match expr {
            Expr::Bool(b) => Code::Const(i64::from(*b)),
            Expr::Int(i) => Code::Const(*i),
            Expr::Var(v) => Code::Var(*v),
            Expr::Not(e) => Code::Not(go(e)),
            Expr::Neg(e) if !real(e) => Code::Neg(go(e)),
            Expr::Binary(op @ (Binary::And | Binary::Or), ..) => {
                let mut parts = Vec::new();
                flattened(*op, expr, model, &mut parts);
                if *op == Binary::And { Code::All(parts) } else { Code::Any(parts) }
            }
            Expr::Binary(Binary::Eq, a, b) => match (&**a, &**b) {
                (Expr::Var(v), Expr::Int(c)) | (Expr::Int(c), Expr::Var(v)) => Code::Is(*v, *c),
                _ if real(a) || real(b) => Code::Slow(Box::new(expr.clone())),
                _ => Code::Binary(Binary::Eq, go(a), go(b)),
            },
            Expr::Binary(op, a, b) if !real(a) && !real(b) && *op != Binary::Div => {
                Code::Binary(*op, go(a), go(b))
            }
            Expr::If(parts) if !real(expr) => {
                Code::If(Box::new([*go(&parts[0]), *go(&parts[1]), *go(&parts[2])]))
            }
            Expr::Call(function, arguments)
                if *function != Function::Log && arguments.iter().all(|e| !real(e)) =>
            {
                Code::Call(*function, arguments.iter().map(|e| *go(e)).collect())
            }
            _ => Code::Slow(Box::new(expr.clone())),
        }
    }

    /// Its value; truth values are 0 and 1.
    pub fn run(&self, state: &[i64], model: &Model) -> Result<i64, Fault> {
        Ok(match self {
            Code::Const(c) => *c,
            Code::Var(v) => state[*v as usize],
            Code::Is(v, c) => i64::from(state[*v as usize] == *c),
            Code::Not(e) => i64::from(e.run(state, model)? == 0),
            Code::Neg(e) => e.run(state, model)?.checked_neg().ok_or(Fault::Overflow)?,
            Code::All(parts) => {
                for part in parts {
                    if part.run(state, model)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Code::Any(parts) => {
                for part in parts {
                    if part.run(state, model)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Code::Binary(Binary::Implies, a, b) => {
                i64::from(a.run(state, model)? == 0 || b.run(state, model)? != 0)
            }
            Code::Binary(op, a, b) => {
                let (x, y) = (a.run(state, model)?, b.run(state, model)?);
                match op {
                    Binary::Eq | Binary::Iff => i64::from(x == y),
                    Binary::Ne => i64::from(x != y),
                    Binary::Lt => i64::from(x < y),
                    Binary::Le => i64::from(x <= y),
                    Binary::Gt => i64::from(x > y),
                    Binary::Ge => i64::from(x >= y),
                    Binary::Add => x.checked_add(y).ok_or(Fault::Overflow)?,
                    Binary::Sub => x.checked_sub(y).ok_or(Fault::Overflow)?,
                    Binary::Mul => x.checked_mul(y).ok_or(Fault::Overflow)?,
                    Binary::And => i64::from(x != 0 && y != 0),
                    Binary::Or => i64::from(x != 0 || y != 0),
                    Binary::Implies | Binary::Div => return Err(Fault::NotPlain),
                }
            }
            Code::If(parts) => {
                parts[if parts[0].run(state, model)? != 0 { 1 } else { 2 }].run(state, model)?
            }
            Code::Call(function, arguments) => {
                let first = arguments[0].run(state, model)?;
                match function {
                    Function::Min => arguments[1..]
                        .iter()
                        .try_fold(first, |best, e| Ok::<_, Fault>(best.min(e.run(state, model)?)))?,
                    Function::Max => arguments[1..]
                        .iter()
                        .try_fold(first, |best, e| Ok::<_, Fault>(best.max(e.run(state, model)?)))?,
                    Function::Mod => match arguments[1].run(state, model)? {
                        n if n > 0 => first.rem_euclid(n),
                        _ => return Err(Fault::BadModulus),
                    },
                    Function::Pow => {
                        let power = arguments[1].run(state, model)?;
                        if power < 0 {
                            return Err(Fault::NegativeExponent);
                        }
                        u32::try_from(power).ok().and_then(|n| first.checked_pow(n)).ok_or(Fault::Overflow)?
                    }
                    // Rounding what is whole.
                    _ => first,
                }
            }
            Code::Slow(expr) => match eval(expr, state, &booleans(model))? {
                burnside_model::chance::Value::Int(i) => i,
                value => i64::from(value.truth()),
            },
        })
    }
}

impl RealCode {
    pub fn new(expr: &Expr, model: &Model) -> RealCode {
        if expr.kind(model) != Type::Real {
            return match expr {
                Expr::Int(i) => RealCode::Const(*i as f64),
                _ => RealCode::Whole(Code::new(expr, model)),
            };
        }
        let go = |e: &Expr| RealCode::new(e, model);
        match expr {
            Expr::Real(r) => RealCode::Const(r.to_f64()),
            Expr::Binary(op, a, b) => RealCode::Binary(*op, Box::new(go(a)), Box::new(go(b))),
            Expr::If(parts) => {
                RealCode::If(Box::new((Code::new(&parts[0], model), go(&parts[1]), go(&parts[2]))))
            }
            Expr::Call(function @ (Function::Min | Function::Max), arguments) => {
                RealCode::Extreme(*function == Function::Min, arguments.iter().map(go).collect())
            }
            _ => RealCode::Slow(Box::new(expr.clone())),
        }
    }

    pub fn run(&self, state: &[i64], model: &Model) -> Result<f64, Fault> {
        Ok(match self {
            RealCode::Const(c) => *c,
            RealCode::Whole(code) => code.run(state, model)? as f64,
            RealCode::Binary(op, a, b) => {
                let (x, y) = (a.run(state, model)?, b.run(state, model)?);
                match op {
                    Binary::Add => x + y,
                    Binary::Sub => x - y,
                    Binary::Mul => x * y,
                    _ => x / y,
                }
            }
            RealCode::If(parts) => {
                if parts.0.run(state, model)? != 0 {
                    parts.1.run(state, model)?
                } else {
                    parts.2.run(state, model)?
                }
            }
            RealCode::Extreme(least, parts) => {
                let mut best = parts[0].run(state, model)?;
                for part in &parts[1..] {
                    let value = part.run(state, model)?;
                    best = if *least { best.min(value) } else { best.max(value) };
                }
                best
            }
            RealCode::Slow(expr) => eval(expr, state, &booleans(model))?.real().to_f64(),
        })
    }
}

/// The exact value of a number in a state.
pub(crate) fn exactly(expr: &Expr, state: &[i64], model: &Model) -> Result<Real, Fault> {
    Ok(eval(expr, state, &booleans(model))?.real())
}
