//! Expressions over the variables of a probabilistic model. Constants and formulas are already resolved.

use super::{Model, Operator, Real};

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Real,
}

impl Type {
    /// The word of the language for it.
    pub fn word(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Real => "double",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    And,
    Or,
    Implies,
    Iff,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
}

impl Binary {
    /// Whether the operator compares or connects, so that its value is a truth value.
    pub fn is_boolean(self) -> bool {
        !matches!(self, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div)
    }

    /// Whether it connects truth values.
    pub fn connects(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Implies | Binary::Iff)
    }

    /// The sign of the language for it.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Implies => "=>",
            Binary::Iff => "<=>",
            Binary::Eq => "=",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
        }
    }
}

/// Functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Pow,
    Mod,
    Log,
}

impl Function {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Function> {
        Some(match name {
            "min" => Function::Min,
            "max" => Function::Max,
            "floor" => Function::Floor,
            "ceil" => Function::Ceil,
            "round" => Function::Round,
            "pow" => Function::Pow,
            "mod" => Function::Mod,
            "log" => Function::Log,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Pow => "pow",
            Function::Mod => "mod",
            Function::Log => "log",
        }
    }
}

#[derive(Clone, Debug)]
pub enum Expr {
    Bool(bool),
    Int(i64),
    Real(Real),
    /// The value of a variable.
    Var(u32),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    /// An operator between two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`.
    If(Box<[Expr; 3]>),
    Call(Function, Vec<Expr>),
    /// The label `"init"`; in properties only.
    IsInitial,
    /// The label `"deadlock"`; in properties only.
    IsDeadlock,
    /// An operator such as `P=? [ … ]`; in properties only.
    Nested(Box<Operator>),
    /// The values of an operator that have been computed, by their place; for engines only.
    Column(u32, Type),
}

impl Expr {
    pub fn and(self, other: Expr) -> Expr {
        Expr::Binary(Binary::And, Box::new(self), Box::new(other))
    }

    /// Its type; operands are well typed.
    pub fn kind(&self, model: &Model) -> Type {
        match self {
            Expr::Bool(_) | Expr::Not(_) | Expr::IsInitial | Expr::IsDeadlock => Type::Bool,
            Expr::Int(_) => Type::Int,
            Expr::Real(_) => Type::Real,
            Expr::Var(v) => {
                if model.variables[*v as usize].boolean {
                    Type::Bool
                } else {
                    Type::Int
                }
            }
            Expr::Neg(e) => e.kind(model),
            Expr::Binary(op, ..) if op.is_boolean() => Type::Bool,
            Expr::Binary(Binary::Div, ..) => Type::Real,
            Expr::Binary(_, a, b) => joined(a.kind(model), b.kind(model)),
            Expr::If(parts) => joined(parts[1].kind(model), parts[2].kind(model)),
            Expr::Call(function, arguments) => match function {
                Function::Floor | Function::Ceil | Function::Round | Function::Mod => Type::Int,
                Function::Log => Type::Real,
                Function::Min | Function::Max | Function::Pow => {
                    arguments.iter().map(|e| e.kind(model)).reduce(joined).unwrap_or(Type::Int)
                }
            },
            Expr::Nested(operator) => operator.kind(),
            Expr::Column(_, kind) => *kind,
        }
    }

    /// Calls `visit` for this expression and all below it; operators of properties are not entered.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Not(e) | Expr::Neg(e) => e.walk(visit),
            Expr::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::If(parts) => parts.iter().for_each(|e| e.walk(visit)),
            Expr::Call(_, arguments) => arguments.iter().for_each(|e| e.walk(visit)),
            _ => {}
        }
    }

    /// The variables it looks at, sorted.
    pub fn support(&self) -> Vec<u32> {
        let mut found = Vec::new();
        self.walk(&mut |e| {
            if let Expr::Var(v) = e {
                found.push(*v);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether it has no operator of a property, so that it can be evaluated in a state alone.
    pub fn is_plain(&self) -> bool {
        let mut plain = true;
        self.walk(&mut |e| {
            plain &= !matches!(e, Expr::Nested(_) | Expr::IsInitial | Expr::IsDeadlock | Expr::Column(..));
        });
        plain
    }
}

fn joined(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Real, _) | (_, Type::Real) => Type::Real,
        (Type::Int, _) | (_, Type::Int) => Type::Int,
        _ => Type::Bool,
    }
}
