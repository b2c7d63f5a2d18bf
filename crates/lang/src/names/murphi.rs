//! The names of a Murphi model.

use burnside_model::Span;

use super::{Collector, Form, Kind, Names, Space};
use crate::murphi::ast::{
    Alias, Decl, DeclKind, Domain, Expr, ExprKind, Ident, Item, Model, Param, Property, Quantifier, Routine,
    Rule, RuleKind, Stmt, StmtKind, TypeExpr, TypeKind,
};

/// The names of a model; the text is that of the tree.
#[must_use]
pub fn names(text: &str, tree: &Model) -> Names {
    let mut walk = Walk { names: Collector::new(text) };
    tree.items.iter().for_each(|item| walk.item(item));
    walk.names.finish()
}

struct Walk<'t> {
    names: Collector<'t>,
}

impl Walk<'_> {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Decl(decl) => self.decl(decl),
            Item::Routine(routine) => self.routine(routine),
            Item::Rule(rule) => self.rule(rule),
            Item::Symmetry(types) => types.iter().for_each(|name| self.type_name(name)),
            Item::Generator(generator) => {
                self.type_name(&generator.ty);
                generator.cycles.iter().flatten().for_each(|element| {
                    self.expr(element);
                });
            }
            Item::Hint(_, condition, _) => {
                self.expr(condition);
            }
            Item::Fairness(_, ty) => self.type_name(ty),
        }
    }

    fn declare(&mut self, kind: Kind, name: &Ident, whole: Span, form: Form, detail: &str) -> usize {
        let space = match kind {
            Kind::Type => Space::Type,
            Kind::Routine => Space::Routine,
            _ => Space::Value,
        };
        let number = self.names.declare(space, kind, (&name.name, name.span), whole, form);
        detail.clone_into(&mut self.names.names.symbols[number].detail);
        number
    }

    fn decl(&mut self, decl: &Decl) {
        let (kind, form, detail) = match &decl.kind {
            DeclKind::Const(value) => {
                self.expr(value);
                (Kind::Constant, Form::Plain, self.names.line(value.span))
            }
            DeclKind::Type(ty) => (Kind::Type, self.ty(ty), self.names.line(ty.span)),
            DeclKind::Var(ty) => (Kind::Variable, self.ty(ty), self.names.line(ty.span)),
        };
        for name in &decl.names {
            self.declare(kind, name, decl.span, form.clone(), &detail);
        }
    }

    fn routine(&mut self, routine: &Routine) {
        self.names.open();
        routine.params.iter().for_each(|group| self.params(group));
        let form = routine.result.as_ref().map_or(Form::Plain, |result| self.ty(result));
        // The name is known around the routine, and so in its body, but not in its parameters' types.
        let inner = self.names.scopes.pop().unwrap_or_default();
        let head_end = routine.result.as_ref().map(|result| result.span.end);
        let last = routine.params.last().map(|group| group.span.end);
        let head = Span { start: routine.name.span.end, end: routine.name.span.end };
        let head = Span { end: head_end.or(last.map(|end| end + 1)).unwrap_or(head.end), ..head };
        let detail = self.names.line(head);
        self.declare(Kind::Routine, &routine.name, routine.span, form, &detail);
        self.names.scopes.push(inner);
        self.names.open();
        routine.decls.iter().for_each(|decl| self.decl(decl));
        self.block(&routine.body);
        self.names.close(routine.span.end);
        self.names.close(routine.span.end);
    }

    fn params(&mut self, group: &Param) {
        let form = self.ty(&group.ty);
        let detail = self.names.line(group.ty.span);
        for name in &group.names {
            self.declare(Kind::Parameter, name, group.span, form.clone(), &detail);
        }
    }

    fn type_name(&mut self, name: &Ident) {
        self.names.used(Space::Type, &name.name, name.span);
    }

    /// Walks a type.
    fn ty(&mut self, ty: &TypeExpr) -> Form {
        match &ty.kind {
            TypeKind::Boolean => Form::Plain,
            TypeKind::Named(name) => {
                self.names.used(Space::Type, &name.name, name.span).map_or(Form::Plain, Form::Named)
            }
            TypeKind::Range(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
                Form::Plain
            }
            TypeKind::Enum(members) => {
                for member in members {
                    let detail = self.names.line(ty.span);
                    self.declare(Kind::Member, member, member.span, Form::Plain, &detail);
                }
                Form::Plain
            }
            TypeKind::Record(groups) => {
                let mut fields = Vec::new();
                for group in groups {
                    let form = self.ty(&group.ty);
                    for name in &group.names {
                        let place = (&*name.name, name.span);
                        let field =
                            self.names.record(Space::Value, Kind::Field, place, group.span, form.clone());
                        self.names.names.symbols[field].detail = self.names.line(group.ty.span);
                        fields.push(field);
                    }
                }
                Form::Record(fields)
            }
            TypeKind::Array(index, element) => {
                self.ty(index);
                Form::Array(Box::new(self.ty(element)))
            }
            TypeKind::Scalarset(size) | TypeKind::Ring(size) => {
                self.expr(size);
                Form::Plain
            }
            TypeKind::Union(members) => {
                members.iter().for_each(|member| {
                    self.ty(member);
                });
                Form::Plain
            }
            TypeKind::Multiset(size, element) => {
                self.expr(size);
                Form::Array(Box::new(self.ty(element)))
            }
        }
    }

    /// Walks an expression; gives what is known of its type.
    fn expr(&mut self, e: &Expr) -> Form {
        match &e.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) => Form::Plain,
            ExprKind::Name(name) | ExprKind::Undefined(name) => self.value_name(name),
            ExprKind::Field(base, field) => {
                let base = self.expr(base);
                self.names.field(&base, &field.name, field.span)
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(base);
                self.expr(index);
                self.names.names.element(&base).clone()
            }
            ExprKind::Call(name, args) => self.call(name, args),
            ExprKind::Unary(_, e) | ExprKind::IsUndefined(e) | ExprKind::TemporalUnary(_, _, _, e) => {
                self.expr(e);
                Form::Plain
            }
            ExprKind::Binary(_, a, b) | ExprKind::TemporalBinary(_, _, _, a, b) => {
                self.expr(a);
                self.expr(b);
                Form::Plain
            }
            ExprKind::Conditional(condition, a, b) => {
                self.expr(condition);
                let form = self.expr(a);
                self.expr(b);
                form
            }
            ExprKind::Quantified(_, names, body) => {
                self.names.open();
                names.iter().for_each(|name| self.quantifier(name));
                self.expr(body);
                self.names.close(e.span.end);
                Form::Plain
            }
            ExprKind::IsMember(e, ty) => {
                self.expr(e);
                self.ty(ty);
                Form::Plain
            }
            ExprKind::MultisetCount(name, set, condition) => {
                self.slot(name, set, condition, e.span.end);
                Form::Plain
            }
        }
    }

    fn value_name(&mut self, name: &Ident) -> Form {
        let used = self.names.used(Space::Value, &name.name, name.span);
        used.map_or(Form::Plain, |symbol| self.names.names.symbols[symbol].form.clone())
    }

    fn call(&mut self, name: &Ident, args: &[Expr]) -> Form {
        let routine = self.names.used(Space::Routine, &name.name, name.span);
        args.iter().for_each(|arg| {
            self.expr(arg);
        });
        routine.map_or(Form::Plain, |routine| self.names.names.symbols[routine].form.clone())
    }

    /// A name for the members of a multiset, in a condition.
    fn slot(&mut self, name: &Ident, set: &Expr, condition: &Expr, end: u32) {
        self.expr(set);
        self.names.open();
        self.declare(Kind::Parameter, name, name.span, Form::Plain, "member of a multiset");
        self.expr(condition);
        self.names.close(end);
    }

    /// Declares a bound name in the scope at hand.
    fn quantifier(&mut self, q: &Quantifier) {
        let form = match &q.domain {
            Domain::Type(ty) => self.ty(ty),
            Domain::Steps { from, to, step } => {
                for part in [Some(from), Some(to), step.as_ref()].into_iter().flatten() {
                    self.expr(part);
                }
                Form::Plain
            }
        };
        let detail = self.names.line(Span { start: q.name.span.end, end: q.span.end });
        let detail = detail.trim_start_matches(':').trim_start_matches('=').trim();
        self.declare(Kind::Parameter, &q.name, q.span, form, detail);
    }

    fn aliases(&mut self, aliases: &[Alias]) {
        for alias in aliases {
            let form = self.expr(&alias.value);
            let detail = self.names.line(alias.value.span);
            for name in &alias.names {
                self.declare(Kind::Alias, name, alias.span, form.clone(), &detail);
            }
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let end = stmt.span.end;
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.expr(place);
                self.expr(value);
            }
            StmtKind::If(clauses) => {
                for clause in clauses {
                    clause.condition.as_ref().map(|condition| self.expr(condition));
                    self.block(&clause.body);
                }
            }
            StmtKind::Switch(subject, cases) => {
                self.expr(subject);
                for case in cases {
                    case.values.iter().flatten().for_each(|value| {
                        self.expr(value);
                    });
                    self.block(&case.body);
                }
            }
            StmtKind::For(names, body) => {
                self.names.open();
                names.iter().for_each(|name| self.quantifier(name));
                self.block(body);
                self.names.close(end);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Alias(aliases, body) => {
                self.names.open();
                self.aliases(aliases);
                self.block(body);
                self.names.close(end);
            }
            StmtKind::Call(name, args) => {
                self.call(name, args);
            }
            StmtKind::Clear(e) | StmtKind::Undefine(e) | StmtKind::Put(e) | StmtKind::Return(Some(e)) => {
                self.expr(e);
            }
            StmtKind::MultisetRemovePred(name, set, condition) => self.slot(name, set, condition, end),
            StmtKind::Return(None) | StmtKind::Error(_) | StmtKind::PutText(_) => {}
            StmtKind::Property(property) => self.property(property),
        }
    }

    fn property(&mut self, property: &Property) {
        self.expr(&property.condition);
    }

    fn rule(&mut self, rule: &Rule) {
        let end = rule.span.end;
        match &rule.kind {
            RuleKind::Simple(simple) => {
                simple.guard.as_ref().map(|guard| self.expr(guard));
                self.body(&simple.decls, &simple.body, end);
            }
            RuleKind::StartState { decls, body, .. } => self.body(decls, body, end),
            RuleKind::Property(property) => self.property(property),
            RuleKind::Temporal(_, _, e) | RuleKind::Fairness(_, e) => {
                self.expr(e);
            }
            RuleKind::Ruleset(names, rules) => {
                self.names.open();
                names.iter().for_each(|name| self.quantifier(name));
                rules.iter().for_each(|rule| self.rule(rule));
                self.names.close(end);
            }
            RuleKind::Alias(aliases, rules) => {
                self.names.open();
                self.aliases(aliases);
                rules.iter().for_each(|rule| self.rule(rule));
                self.names.close(end);
            }
            RuleKind::Choose(name, set, rules) => {
                self.expr(set);
                self.names.open();
                self.declare(Kind::Parameter, name, name.span, Form::Plain, "member of a multiset");
                rules.iter().for_each(|rule| self.rule(rule));
                self.names.close(end);
            }
        }
    }

    fn body(&mut self, decls: &[Decl], body: &[Stmt], end: u32) {
        self.names.open();
        decls.iter().for_each(|decl| self.decl(decl));
        self.block(body);
        self.names.close(end);
    }
}
