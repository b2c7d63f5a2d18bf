//! Rules, start states, properties, and what surrounds them.

use burnside_model::Span;
use burnside_model::code::{Frame, LoopRange, Stmt, StmtKind, Storage, Types};
use burnside_model::system::{Binder, Hint, Property, PropertyKind, Rule};

use super::constants::{Folded, fold};
use super::scope::{Root, Space, Symbol};
use super::{Effects, Lowerer};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

impl Lowerer<'_> {
    /// A rule, start state or property, or a group of them.
    pub(super) fn rule(&mut self, rule: &ast::Rule) {
        match &rule.kind {
            ast::RuleKind::Simple(simple) => self.simple_rule(simple, rule.span),
            ast::RuleKind::StartState { name, decls, body } => {
                self.body(name.as_ref(), None, decls, body, rule.span, true);
            }
            ast::RuleKind::Property(property) => self.property(property),
            ast::RuleKind::Temporal(logic, name, formula) => {
                self.temporal_property(*logic, name.as_ref(), formula, rule.span);
            }
            ast::RuleKind::Fairness(name, condition) => self.fairness(name, condition, rule.span),
            ast::RuleKind::Ruleset(names, rules) => self.ruleset(names, rules),
            ast::RuleKind::Alias(aliases, rules) => self.alias_rule(aliases, rules),
            ast::RuleKind::Choose(name, set, rules) => {
                self.choose(name, set, rules);
            }
        }
    }

    fn choose(&mut self, name: &ast::Ident, set: &ast::Expr, rules: &[ast::Rule]) {
        let mark = self.mark();
        self.scopes.push();
        match self.purely("the set of a `choose`", |this| this.multiset(set)) {
            Some(set) => {
                let local = self.add_local(&name.name, Types::INT, Storage::Value, Root::Own);
                self.declare_name(Space::Value, name, Symbol::Slot { local, set: set.ty });
                self.group(vec![Binder::Choose(local, set)], rules);
            }
            None => {
                self.broken::<()>(name);
                self.group(Vec::new(), rules);
            }
        }
        self.scopes.pop();
        self.reset(&mark);
    }

    /// Reads the rules inside a group. Each starts from the group's locals, which it extends with its own.
    fn group(&mut self, binders: Vec<Binder>, rules: &[ast::Rule]) {
        let outer = self.binders.len();
        self.binders.extend(binders);
        let mark = self.mark();
        for rule in rules {
            self.rule(rule);
            self.reset(&mark);
        }
        self.binders.truncate(outer);
    }

    fn ruleset(&mut self, names: &[ast::Quantifier], rules: &[ast::Rule]) {
        let mark = self.mark();
        self.scopes.push();
        let mut binders = Vec::new();
        for name in names {
            let Some((range, ty)) =
                self.purely("the range of a rule's parameter", |this| this.loop_range(name))
            else {
                continue;
            };
            if let LoopRange::Span(from, to, by) = &range {
                let parts = [Some(from), Some(to), by.as_ref()];
                for part in parts.into_iter().flatten() {
                    if !matches!(fold(self.types(), part), Folded::Value(_)) {
                        let message = "the range of a rule's parameter must be constant";
                        let error = Diagnostic::error(codes::NOT_CONSTANT, part.span, message);
                        self.report(
                            error.help("take all values the parameter may have, and test it in the rule"),
                        );
                    }
                }
            }
            binders.push(Binder::Each(self.bind_loop(name, range, ty)));
        }
        self.group(binders, rules);
        self.scopes.pop();
        self.reset(&mark);
    }

    fn alias_rule(&mut self, aliases: &[ast::Alias], rules: &[ast::Rule]) {
        let mark = self.mark();
        self.scopes.push();
        let mut binders = Vec::new();
        for alias in aliases {
            for name in &alias.names {
                let bound = self.purely("an alias around a rule", |this| this.alias(name, &alias.value));
                if let Some(Some((local, operand))) = bound {
                    binders.push(Binder::Alias(local, operand));
                }
            }
        }
        self.group(binders, rules);
        self.scopes.pop();
        self.reset(&mark);
    }

    fn simple_rule(&mut self, rule: &ast::SimpleRule, span: Span) {
        if let Some((_, priority)) = rule.priority {
            self.priorities.push(priority);
        }
        self.body(rule.name.as_ref(), rule.guard.as_ref(), &rule.decls, &rule.body, span, false);
        if let Some(made) = self.model.rules.last_mut() {
            made.fairness = rule.fairness;
        }
    }

    /// A rule or start state inside the binders at hand.
    fn body(
        &mut self,
        name: Option<&ast::Text>,
        guard: Option<&ast::Expr>,
        decls: &[ast::Decl],
        body: &[ast::Stmt],
        span: Span,
        start: bool,
    ) {
        self.current = Effects::default();
        let effect = "the body sees the change; if the condition is false, it is undone";
        let (mut guard, writes) =
            guard.map_or((None, false), |guard| self.effectful("the condition of this rule", effect, guard));
        self.scopes.push();
        for decl in decls {
            self.declare(decl, false);
        }
        let mut body = self.block(body);
        self.scopes.pop();
        if writes && let Some(condition) = guard.take() {
            // As the first statement of the body: what does not get past an assumption was not enabled.
            body.insert(0, Stmt { span: condition.span, kind: StmtKind::Assume(condition) });
        }
        let frame = self.group_frame();
        let binders = self.binders.clone();
        let list = if start { &mut self.model.starts } else { &mut self.model.rules };
        let number = list.len() + 1;
        let kind = if start { "startstate" } else { "rule" };
        list.push(Rule {
            name: name.map_or_else(|| format!("{kind} {number}"), |name| name.value.clone()),
            named: name.is_some(),
            binders,
            frame,
            guard,
            body,
            fairness: None,
            span,
        });
    }

    /// The finished frame of a body; at the top level it is empty again afterwards.
    pub(super) fn group_frame(&mut self) -> Frame {
        if self.binders.is_empty() { self.take_frame() } else { self.frame.clone() }
    }

    fn property(&mut self, property: &ast::Property) {
        let (kind, what) = match property.kind {
            ast::PropertyKind::Assert | ast::PropertyKind::Invariant => {
                (PropertyKind::Invariant, "an invariant")
            }
            ast::PropertyKind::Assume => (PropertyKind::Assume, "an assumption"),
            ast::PropertyKind::Cover => (PropertyKind::Cover, "a cover property"),
            ast::PropertyKind::Liveness => (PropertyKind::Liveness, "a liveness property"),
        };
        self.current = Effects::default();
        let condition = if kind == PropertyKind::Invariant {
            let effect = "an invariant is evaluated on a copy of the state, so the change is lost";
            self.effectful("this invariant", effect, &property.condition).0
        } else {
            self.purely(what, |this| this.boolean(&property.condition))
        };
        let frame = self.group_frame();
        let Some(condition) = condition else { return };
        let name = property.name.as_ref().map(|name| name.value.clone());
        self.model.properties.push(Property {
            named: name.is_some(),
            name: name.unwrap_or_else(|| self.numbered(kind)),
            kind,
            binders: self.binders.clone(),
            frame,
            condition: Some(condition),
            formula: None,
            span: property.span,
        });
    }

    /// Where to step from first.
    pub(super) fn exploration_hint(&mut self, name: &ast::Text, condition: &ast::Expr, span: Span) {
        self.current = Effects::default();
        let condition = self.purely("a hint", |this| this.boolean(condition));
        let frame = self.take_frame();
        let Some(condition) = condition else { return };
        self.model.hints.push(Hint { name: name.value.clone(), frame, condition, span });
    }

    /// A name for a property that has none: its kind and number.
    pub(super) fn numbered(&self, kind: PropertyKind) -> String {
        let number = self.model.properties.iter().filter(|p| p.kind == kind).count() + 1;
        format!("{} {number}", kind.name())
    }
}
