//! Temporal properties and fairness.
//!
//! A formula is written as an expression. Its largest parts without temporal operators are conditions, of any form; what
//! is around them may only be connectives, quantifiers and temporal operators.

use burnside_model::Span;
use burnside_model::code::{LogicOp, LoopRange, Quantifier};
use burnside_model::system::{
    Binder, Formula, FormulaKind, Logic, Paths, ProcessFairness, Property, PropertyKind, Strength,
};

use super::constants::{Folded, fold};
use super::scope::{Space, Symbol};
use super::{Effects, Lowerer};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast::{self, BinaryOp, ExprKind, UnaryOp};

impl Lowerer<'_> {
    /// `ctl "name" formula` or `ltl "name" formula`
    pub(super) fn temporal_property(
        &mut self,
        logic: Logic,
        name: Option<&ast::Text>,
        formula: &ast::Expr,
        span: Span,
    ) {
        let (kind, what) = match logic {
            Logic::Ctl => (PropertyKind::Ctl, "a `ctl` property"),
            Logic::Ltl => (PropertyKind::Ltl, "an `ltl` property"),
        };
        self.current = Effects::default();
        let formula = self.purely(what, |this| this.formula(logic, formula, None));
        let frame = self.group_frame();
        if formula.is_none() || !self.binds_values(what, span) {
            return;
        }
        let name = name.map(|name| name.value.clone());
        self.model.properties.push(Property {
            named: name.is_some(),
            name: name.unwrap_or_else(|| self.numbered(kind)),
            kind,
            binders: self.binders.clone(),
            frame,
            condition: None,
            formula,
            span,
        });
    }

    /// `fairness "name" condition`
    pub(super) fn fairness(&mut self, name: &ast::Text, condition: &ast::Expr, span: Span) {
        let what = "a fairness constraint";
        self.current = Effects::default();
        let condition = self.purely(what, |this| this.boolean(condition));
        let frame = self.group_frame();
        if condition.is_none() || !self.binds_values(what, span) {
            return;
        }
        self.model.properties.push(Property {
            name: name.value.clone(),
            named: true,
            kind: PropertyKind::Fairness,
            binders: self.binders.clone(),
            frame,
            condition,
            formula: None,
            span,
        });
    }

    /// `fairness weak T`
    pub(super) fn process_fairness(&mut self, strength: Strength, ty: &ast::Ident) {
        if let Some(of) = self.named_type(ty) {
            self.model.fairness.push(ProcessFairness { strength, ty: of, span: ty.span });
        }
    }

    /// Fairness to processes that do nothing is a slip.
    pub(super) fn check_process_fairness(&mut self) {
        let idle = |fairness: &&ProcessFairness| {
            !self.model.rules.iter().any(|rule| fairness.argument(rule).is_some())
        };
        let idle: Vec<_> = self.model.fairness.iter().filter(idle).cloned().collect();
        for ProcessFairness { ty, span, .. } in idle {
            let message = format!("no rule has a parameter of type `{}`", self.describe(ty));
            let error = Diagnostic::error(codes::BAD_FAIRNESS, span, message);
            self.report(error.help("name the type of the processes: that of `ruleset i : T do … end`"));
        }
    }

    /// Whether what surrounds a temporal property is the same in all states; reports it if not.
    fn binds_values(&mut self, what: &str, span: Span) -> bool {
        let around = self.binders.iter().find_map(|binder| match binder {
            Binder::Each(_) => None,
            Binder::Alias(..) => Some("alias"),
            Binder::Choose(..) => Some("choose"),
        });
        if let Some(around) = around {
            let message = format!("{what} cannot stand inside `{around}`");
            let error = Diagnostic::error(codes::TEMPORAL_GROUP, span, message);
            self.report(error.help(format!(
                "it speaks of many states, and what `{around}` names may differ between them; use `ruleset`"
            )));
        }
        around.is_none()
    }

    /// A formula; `inside` says which temporal operator it is an operand of.
    fn formula(&mut self, logic: Logic, e: &ast::Expr, inside: Option<&ast::Ident>) -> Option<Formula> {
        if !e.is_temporal() {
            let atom = self.boolean(e)?;
            return Some(Formula { kind: FormulaKind::Atom(atom), span: e.span });
        }
        let kind = match &e.kind {
            ExprKind::Unary(UnaryOp::Not, f) => FormulaKind::Not(Box::new(self.formula(logic, f, inside)?)),
            ExprKind::Binary(op, f, g) => {
                let connective = match op {
                    BinaryOp::Logic(op) => Some(*op),
                    BinaryOp::Pipe => Some(LogicOp::Or),
                    BinaryOp::Amp => Some(LogicOp::And),
                    BinaryOp::Iff => None,
                    _ => return self.operator_in_expression(e),
                };
                let (f, g) = (self.formula(logic, f, inside), self.formula(logic, g, inside));
                let (f, g) = (Box::new(f?), Box::new(g?));
                match connective {
                    Some(op) => FormulaKind::Logic(op, f, g),
                    None => FormulaKind::Iff(f, g),
                }
            }
            ExprKind::Quantified(kind, names, f) => {
                if let Some(operator) = inside {
                    return self.quantified_inside(e.span, operator);
                }
                return self.quantified_formula(logic, *kind, names, f, e.span);
            }
            ExprKind::TemporalUnary(word, paths, op, f) => {
                let fits = self.check_operator(logic, word, *paths, op.is_past());
                let f = self.formula(logic, f, Some(word));
                fits?;
                FormulaKind::Unary(*paths, *op, Box::new(f?))
            }
            ExprKind::TemporalBinary(word, paths, op, f, g) => {
                // Between two operands of LTL, a word can be nothing but an operator, and no constant has an index.
                let constant =
                    matches!(self.scopes.find(Space::Value, &word.name), Some((Symbol::Constant { .. }, _)));
                let fits = if paths.is_some() && !constant { self.check_name(word) } else { Some(()) };
                let (f, g) = (self.formula(logic, f, Some(word)), self.formula(logic, g, Some(word)));
                fits?;
                FormulaKind::Binary(*paths, *op, Box::new(f?), Box::new(g?))
            }
            _ => return self.operator_in_expression(e),
        };
        Some(Formula { kind, span: e.span })
    }

    fn quantified_formula(
        &mut self,
        logic: Logic,
        kind: ast::QuantifierKind,
        names: &[ast::Quantifier],
        body: &ast::Expr,
        span: Span,
    ) -> Option<Formula> {
        let Some((first, rest)) = names.split_first() else { return self.formula(logic, body, None) };
        let (each, inner) = self.scoped(|this| {
            let each = this.loop_range(first).map(|(range, ty)| this.bind_loop(first, range, ty));
            (each, this.quantified_formula(logic, kind, rest, body, span))
        });
        let (each, inner) = (each?, inner?);
        if let LoopRange::Span(from, to, by) = &each.range {
            let parts = [Some(from), Some(to), by.as_ref()];
            for part in parts.into_iter().flatten() {
                if !matches!(fold(self.types(), part), Folded::Value(_)) {
                    let message = "the range of a quantifier over formulas must be constant";
                    let error = Diagnostic::error(codes::NOT_CONSTANT, part.span, message);
                    self.report(error.help("a formula speaks of many states: name a type, or constants"));
                    return None;
                }
            }
        }
        let quantifier = match kind {
            ast::QuantifierKind::Forall => Quantifier::Forall,
            ast::QuantifierKind::Exists => Quantifier::Exists,
        };
        Some(Formula { kind: FormulaKind::Quantified(quantifier, Box::new(each), Box::new(inner)), span })
    }

    fn quantified_inside(&mut self, span: Span, operator: &ast::Ident) -> Option<Formula> {
        let message = "a quantifier over formulas cannot stand inside a temporal operator";
        let error = Diagnostic::error(codes::QUANTIFIED_FORMULA, span, message);
        let error = error.also(operator.span, format!("it is an operand of this `{}`", operator.name));
        self.report(error.help("put the quantifier around the whole formula: `forall i : T do AG … end`"));
        None
    }

    /// Whether an operator before its operand is one of the logic.
    fn check_operator(
        &mut self,
        logic: Logic,
        word: &ast::Ident,
        paths: Option<Paths>,
        past: bool,
    ) -> Option<()> {
        let name = &word.name;
        let (message, help) = match (logic, paths) {
            (Logic::Ltl, _) if past => (
                format!("there is no operator `{name}` in `ltl`"),
                "formulas about the past are written in `ctl`, with `EY` and `EP`".to_owned(),
            ),
            (Logic::Ctl, Some(Paths::Some)) => return self.check_name(word),
            (Logic::Ctl, _) if past => (
                format!("there is no operator `{name}` in `ctl`"),
                "of the past there are `EY` (in some state just before) and `EP` (in some state before)"
                    .to_owned(),
            ),
            (Logic::Ctl, Some(Paths::All)) | (Logic::Ltl, None) => return self.check_name(word),
            (Logic::Ctl, None) => (
                format!("`{name}` is an operator of LTL"),
                format!("write `A{name}` or `E{name}`, or state the property as `ltl`"),
            ),
            (Logic::Ltl, Some(_)) => (
                format!("`{name}` is an operator of CTL"),
                format!("write `{}`, or state the property as `ctl`", &name[1..]),
            ),
        };
        self.report(Diagnostic::error(codes::WRONG_LOGIC, word.span, message).help(help));
        None
    }

    /// Whether an operator can be nothing else.
    fn check_name(&mut self, word: &ast::Ident) -> Option<()> {
        let declared = self.scopes.find(Space::Value, &word.name);
        let Some((_, at)) = declared.or_else(|| self.scopes.find(Space::Routine, &word.name)) else {
            return Some(());
        };
        let name = &word.name;
        let message = format!("`{name}` is a temporal operator here, but the model declares it as a name");
        let error = Diagnostic::error(codes::TEMPORAL_NAME, word.span, message);
        self.report(error.also(at, "declared here").help("give it another name there"));
        None
    }

    /// Reports the first temporal operator in what should be an ordinary expression.
    fn operator_in_expression(&mut self, e: &ast::Expr) -> Option<Formula> {
        match &e.kind {
            ExprKind::TemporalUnary(word, ..) | ExprKind::TemporalBinary(word, ..) => {
                self.misplaced_operator(word)
            }
            _ => match operands(e).into_iter().find(|e| e.is_temporal()) {
                Some(inner) => self.operator_in_expression(inner),
                None => self.error(codes::TEMPORAL_OPERATOR, e.span, "there is a temporal operator in this"),
            },
        }
    }

    /// Reports a temporal operator inside an ordinary expression.
    pub(super) fn misplaced_operator<T>(&mut self, word: &ast::Ident) -> Option<T> {
        let message = format!("the temporal operator `{}` is inside an ordinary expression", word.name);
        let error = Diagnostic::error(codes::TEMPORAL_OPERATOR, word.span, message);
        self.report(error.help("around it there may be only `!`, `&`, `|`, `->`, `<->`, quantifiers and other temporal operators"));
        None
    }
}

/// The expressions that one is made of.
fn operands(e: &ast::Expr) -> Vec<&ast::Expr> {
    match &e.kind {
        ExprKind::Field(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::IsUndefined(a)
        | ExprKind::IsMember(a, _) => {
            vec![a]
        }
        ExprKind::Quantified(_, _, a) => vec![a],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::MultisetCount(_, a, b) => vec![a, b],
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call(_, args) => args.iter().collect(),
        _ => Vec::new(),
    }
}
