//! Properties: every operator becomes a column of values, the innermost first, and the formula is evaluated over them.

mod branching;
pub mod column;
mod expr;
mod paths;
mod rewards;
mod steady;

use burnside_model::Span;
use burnside_model::chance::{Comparison, Expr, FilterKind, Model, Operator, Property, Query, Real};

use crate::chain::Chain;
use crate::code::Code;
use crate::graph::{Backward, Set};
use crate::step::{Problem, ProblemKind, problem};
use column::{Column, Number, Val};

/// The answer to a property.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Whether it holds in all initial states.
    Bool(bool),
    Number(Number),
    /// There are several initial states: the least and the greatest value.
    Range(Number, Number),
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Trouble {
    /// A mistake in the model or the property.
    Problem(Box<Problem>),
    /// The value is so near to a bound that only exact numbers decide.
    Undecided(Span),
}

impl From<Box<Problem>> for Trouble {
    fn from(problem: Box<Problem>) -> Trouble {
        Trouble::Problem(problem)
    }
}

/// Checks properties of one chain.
pub struct Checker<'c> {
    model: &'c Model,
    chain: &'c Chain,
    back: Backward,
    precision: f64,
    columns: Vec<Column>,
    /// Sweeps of all iterations.
    pub sweeps: u64,
    /// The values of a property in all states, where they are asked for.
    pub printed: Vec<(u32, Val)>,
}

type Checked<T> = Result<T, Trouble>;

impl<'c> Checker<'c> {
    /// For a chain of a model; numbers are as near as `precision` times the value. Exact if the chain is.
    pub fn new(model: &'c Model, chain: &'c Chain, precision: f64) -> Checker<'c> {
        let back = Backward::new(chain);
        Checker { model, chain, back, precision, columns: Vec::new(), sweeps: 0, printed: Vec::new() }
    }

    fn exact(&self) -> bool {
        self.chain.exact.is_some()
    }

    /// The answer to a property. What was computed when the deadline passed is none.
    pub fn check(&mut self, property: &Property) -> Checked<Answer> {
        let answer = self.answer(property);
        if self.chain.deadline.has_passed() {
            let message = "out of time".to_owned();
            return Err(problem(ProblemKind::Limit, message, property.span, &[]).into());
        }
        answer
    }

    fn answer(&mut self, property: &Property) -> Checked<Answer> {
        self.columns.clear();
        let initial = &self.chain.initial;
        // A bound at the top matters in the initial states only.
        if let Expr::Nested(operator) = &property.formula
            && let Some((Query::Compare(comparison, bound), asked)) = asked_for(operator)
        {
            let column = self.operator(&asked)?;
            let mut all = true;
            for state in initial {
                let Val::Number(value) = column.at(*state as usize) else { continue };
                all &= compare(&value, comparison, &bound).ok_or(Trouble::Undecided(property.span))?;
            }
            return Ok(Answer::Bool(all));
        }
        let column = self.evaluate(&property.formula, property.span)?;
        let values: Vec<Val> = initial.iter().map(|state| column.at(*state as usize)).collect();
        if values.iter().all(|value| matches!(value, Val::Bool(_))) {
            return Ok(Answer::Bool(values.iter().all(|value| *value == Val::Bool(true))));
        }
        let mut numbers = values.into_iter().filter_map(|value| match value {
            Val::Number(number) => Some(number),
            Val::Bool(_) => None,
        });
        let Some(first) = numbers.next() else { return Ok(Answer::Bool(true)) };
        let (mut least, mut greatest) = (first.clone(), first);
        for number in numbers {
            least = expr::extreme(&least, &number, true);
            greatest = expr::extreme(&greatest, &number, false);
        }
        Ok(if least == greatest { Answer::Number(least) } else { Answer::Range(least, greatest) })
    }

    /// The values of a formula in all states.
    fn evaluate(&mut self, formula: &Expr, span: Span) -> Checked<Column> {
        if let Expr::Nested(operator) = formula {
            return self.operator(operator);
        }
        let resolved = self.resolve(formula)?;
        if let Expr::Column(index, _) = resolved {
            return Ok(self.columns[index as usize].clone());
        }
        let mut state = vec![0; self.model.variables.len()];
        let kind = resolved.kind(self.model);
        let plain = resolved.is_plain();
        let fault = |fault: burnside_model::chance::Fault, state: &[i64]| {
            problem(ProblemKind::Arithmetic, fault.message().to_owned(), span, state)
        };
        if plain && kind == burnside_model::chance::Type::Bool {
            let code = Code::new(&resolved, self.model);
            let mut values = Vec::with_capacity(self.chain.len());
            for number in 0..self.chain.len() {
                self.chain.states.unpack(number as u32, &mut state);
                values.push(code.run(&state, self.model).map_err(|f| fault(f, &state))? != 0);
            }
            return Ok(Column::Bool(values));
        }
        let mut values = Vec::with_capacity(self.chain.len());
        for number in 0..self.chain.len() {
            self.chain.states.unpack(number as u32, &mut state);
            values.push(self.value(&resolved, number, &state, span)?);
        }
        Ok(if matches!(values.first(), Some(Val::Bool(_))) {
            Column::Bool(values.iter().map(|value| *value == Val::Bool(true)).collect())
        } else if values.iter().all(|v| matches!(v, Val::Number(Number::Exact(Real::Exact(_))))) {
            let exact = values.into_iter().map(|value| match value {
                Val::Number(Number::Exact(Real::Exact(value))) => Some(value),
                _ => None,
            });
            Column::Exact(exact.collect())
        } else {
            let (mut low, mut high) = (Vec::new(), Vec::new());
            for value in values {
                if let Val::Number(number) = value {
                    low.push(number.low());
                    high.push(number.high());
                }
            }
            Column::Bounds(low, high)
        })
    }

    /// The states in which a formula holds.
    fn set(&mut self, formula: &Expr, span: Span) -> Checked<Set> {
        match self.evaluate(formula, span)? {
            Column::Bool(values) => Ok(values),
            _ => {
                Err(problem(ProblemKind::Property, "a condition is needed here".to_owned(), span, &[]).into())
            }
        }
    }

    /// The same formula with every operator replaced by its column.
    fn resolve(&mut self, formula: &Expr) -> Checked<Expr> {
        let mut go = |e: &Expr| self.resolve(e);
        Ok(match formula {
            Expr::Not(e) => Expr::Not(Box::new(go(e)?)),
            Expr::Neg(e) => Expr::Neg(Box::new(go(e)?)),
            Expr::Binary(op, a, b) => {
                let a = Box::new(go(a)?);
                Expr::Binary(*op, a, Box::new(go(b)?))
            }
            Expr::If(parts) => {
                let (a, b, c) = (go(&parts[0])?, go(&parts[1])?, go(&parts[2])?);
                Expr::If(Box::new([a, b, c]))
            }
            Expr::Call(function, arguments) => {
                Expr::Call(*function, arguments.iter().map(go).collect::<Result<_, _>>()?)
            }
            Expr::IsInitial => {
                let mut values = vec![false; self.chain.len()];
                self.chain.initial.iter().for_each(|state| values[*state as usize] = true);
                self.keep(Column::Bool(values))
            }
            Expr::IsDeadlock => self.keep(Column::Bool(self.chain.deadlock.clone())),
            Expr::Nested(operator) => {
                let column = self.operator(operator)?;
                self.keep(column)
            }
            other => other.clone(),
        })
    }

    fn keep(&mut self, column: Column) -> Expr {
        use burnside_model::chance::Type;
        let kind = if matches!(column, Column::Bool(_)) { Type::Bool } else { Type::Real };
        self.columns.push(column);
        Expr::Column((self.columns.len() - 1) as u32, kind)
    }

    fn operator(&mut self, operator: &Operator) -> Checked<Column> {
        if let Some((Query::Compare(comparison, bound), asked)) = asked_for(operator) {
            let column = self.operator(&asked)?;
            let mut values = Vec::with_capacity(self.chain.len());
            for state in 0..self.chain.len() {
                let Val::Number(value) = column.at(state) else { continue };
                values.push(compare(&value, comparison, &bound).ok_or(Trouble::Undecided(operator.span()))?);
            }
            return Ok(Column::Bool(values));
        }
        match operator {
            Operator::Prob { optimum, path, span, .. } => self.probability(path, *optimum, *span),
            Operator::Reward { structure, optimum, path, span, .. } => {
                self.reward(*structure, *optimum, path, *span)
            }
            Operator::Steady { states, span, .. } => self.steady(states, *span),
            Operator::Branching(all, path, span) => self.branching(*all, path, *span).map(Column::Bool),
            Operator::Filter { kind, value, states, span } => {
                self.filter(*kind, value, states.as_ref(), *span)
            }
        }
    }

    fn filter(
        &mut self,
        kind: FilterKind,
        value: &Expr,
        states: Option<&Expr>,
        span: Span,
    ) -> Checked<Column> {
        let column = self.evaluate(value, span)?;
        let set = match states {
            Some(states) => self.set(states, span)?,
            None => vec![true; self.chain.len()],
        };
        let wrong =
            |message: &str| Trouble::from(problem(ProblemKind::Property, message.to_owned(), span, &[]));
        let inside: Vec<usize> = (0..set.len()).filter(|state| set[*state]).collect();
        let of = |state: usize| match column.at(state) {
            Val::Number(number) => number,
            Val::Bool(value) => Number::Exact(Real::from(i64::from(value))),
        };
        if kind == FilterKind::Print {
            self.printed = inside.iter().map(|state| (*state as u32, column.at(*state))).collect();
            return Ok(column);
        }
        let holds = |state: &usize| column.at(*state) == Val::Bool(true);
        let found = match kind {
            FilterKind::Forall => Val::Bool(inside.iter().all(holds)),
            FilterKind::Exists => Val::Bool(inside.iter().any(holds)),
            FilterKind::Count => {
                Val::Number(Number::Exact(Real::from(inside.iter().filter(|s| holds(s)).count() as i64)))
            }
            _ if inside.is_empty() => return Err(wrong("no reachable state satisfies this filter")),
            FilterKind::Min | FilterKind::Max | FilterKind::ArgMin | FilterKind::ArgMax => {
                let least = matches!(kind, FilterKind::Min | FilterKind::ArgMin);
                let mut numbers = inside.iter().map(|state| of(*state));
                let first = numbers.next().unwrap_or(Number::Bounds(0.0, 0.0));
                let best = numbers.fold(first, |best, number| expr::extreme(&best, &number, least));
                if matches!(kind, FilterKind::ArgMin | FilterKind::ArgMax) {
                    let same = |state: usize| {
                        let value = of(state);
                        set[state] && value.low() <= best.high() && value.high() >= best.low()
                    };
                    return Ok(Column::Bool((0..set.len()).map(same).collect()));
                }
                Val::Number(best)
            }
            FilterKind::Sum | FilterKind::Avg => {
                let mut sum = Number::Exact(Real::from(0));
                for state in &inside {
                    sum = expr::arithmetic(burnside_model::chance::Binary::Add, &sum, &of(*state));
                }
                if kind == FilterKind::Avg {
                    let count = Number::Exact(Real::from(inside.len() as i64));
                    sum = expr::arithmetic(burnside_model::chance::Binary::Div, &sum, &count);
                }
                Val::Number(sum)
            }
            FilterKind::State if inside.len() > 1 => {
                return Err(wrong("this filter is for exactly one state, and there are several"));
            }
            FilterKind::State | FilterKind::First => column.at(inside[0]),
            FilterKind::Range | FilterKind::Print => {
                let mut numbers = inside.iter().map(|state| of(*state));
                let first = numbers.next().unwrap_or(Number::Bounds(0.0, 0.0));
                let (mut least, mut greatest) = (first.clone(), first);
                for number in numbers {
                    least = expr::extreme(&least, &number, true);
                    greatest = expr::extreme(&greatest, &number, false);
                }
                Val::Number(Number::Bounds(least.low(), greatest.high()))
            }
        };
        let size = self.chain.len();
        Ok(match found {
            Val::Bool(value) => Column::Bool(vec![value; size]),
            Val::Number(Number::Exact(Real::Exact(value))) => Column::Exact(vec![Some(value); size]),
            Val::Number(number) => Column::Bounds(vec![number.low(); size], vec![number.high(); size]),
        })
    }
}

/// An operator with a query as the same operator that asks for the value.
fn asked_for(operator: &Operator) -> Option<(Query, Operator)> {
    let mut asked = operator.clone();
    let query = match &mut asked {
        Operator::Prob { query, .. } | Operator::Reward { query, .. } | Operator::Steady { query, .. } => {
            query
        }
        _ => return None,
    };
    match std::mem::replace(query, Query::Value) {
        Query::Value => None,
        found => Some((found, asked)),
    }
}

/// Whether a comparison holds, if the bounds decide.
fn compare(value: &Number, comparison: Comparison, bound: &Real) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if let Number::Exact(value) = value {
        let order = value.compare(bound)?;
        return Some(match comparison {
            Comparison::Lt => order == Less,
            Comparison::Le => order != Greater,
            Comparison::Gt => order == Greater,
            Comparison::Ge => order != Less,
            Comparison::Eq => order == Equal,
        });
    }
    let at = bound.to_f64();
    let (low, high) = (value.low(), value.high());
    // 0 and 1 are found by the graph, and are exact.
    let certain = low == high && (low == 0.0 || low == 1.0 || low.is_infinite());
    let margin = if certain { 0.0 } else { 1e-12 * at.abs() };
    let above =
        low > at + margin || certain && low >= at && matches!(comparison, Comparison::Ge | Comparison::Lt);
    let below =
        high < at - margin || certain && high <= at && matches!(comparison, Comparison::Le | Comparison::Gt);
    match comparison {
        Comparison::Gt | Comparison::Ge if above => Some(true),
        Comparison::Gt | Comparison::Ge if below => Some(false),
        Comparison::Lt | Comparison::Le if below => Some(true),
        Comparison::Lt | Comparison::Le if above => Some(false),
        _ => None,
    }
}
