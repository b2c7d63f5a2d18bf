//! The names of a UPPAAL model.
//!
//! Templates are read when the system line names them, so their bodies see all global names, whatever the order of the
//! text.

use burnside_model::Span;
use burnside_model::network::QueryKind;

use super::{Collector, Form, Kind, Names, Space};
use crate::uppaal::ast::{
    Block, ChannelOrDefault, Declaration, Dimension, Document, Edge, Expr, ExprKind, Function, Ident,
    Initial, Item, Param, Query, Stmt, StmtKind, Template, Type, TypeKind, Variable,
};

/// The names of a model; the text is that of the document.
#[must_use]
pub fn names(text: &str, document: &Document) -> Names {
    let mut walk = Walk { names: Collector::new(text) };
    for item in &document.items {
        match item {
            Item::Declaration(declaration) => walk.declaration(declaration),
            Item::Template(template) => {
                walk.declare(Kind::Template, &template.name, template.span, Form::Plain, "");
            }
            Item::Instantiation(instance) => {
                walk.declare(Kind::Template, &instance.name, instance.span, Form::Plain, "");
            }
        }
    }
    document.items.iter().for_each(|item| walk.process(item));
    for name in document.system.iter().flatten() {
        walk.name(&name.name, name.span);
    }
    document.queries.iter().for_each(|query| walk.query(query));
    walk.names.finish()
}

struct Walk<'t> {
    names: Collector<'t>,
}

impl Walk<'_> {
    fn declare(&mut self, kind: Kind, name: &Ident, whole: Span, form: Form, detail: &str) -> usize {
        let number = self.names.declare(Space::Value, kind, (&name.name, name.span), whole, form);
        detail.clone_into(&mut self.names.names.symbols[number].detail);
        number
    }

    fn name(&mut self, name: &str, at: Span) -> Form {
        let used = self.names.used(Space::Value, name, at);
        used.map_or(Form::Plain, |symbol| self.names.names.symbols[symbol].form.clone())
    }

    /// What stands in a template or instance.
    fn process(&mut self, item: &Item) {
        match item {
            Item::Declaration(_) => {}
            Item::Template(template) => {
                let members = self.template(template);
                if let Some(symbol) = self.names.find(Space::Value, &template.name.name) {
                    self.names.names.symbols[symbol].form = Form::Record(members);
                }
            }
            Item::Instantiation(instance) => {
                let template = self.names.used(Space::Value, &instance.template.name, instance.template.span);
                let symbol = self.names.find(Space::Value, &instance.name.name);
                if let (Some(template), Some(symbol)) = (template, symbol) {
                    let known = &mut self.names.names.symbols;
                    known[symbol].form = Form::Named(template);
                    known[symbol].detail = format!("an instance of {}", instance.template.name);
                }
                self.names.open();
                instance.params.iter().for_each(|param| self.param(param));
                instance.args.iter().for_each(|arg| {
                    self.expr(arg);
                });
                self.names.close(instance.span.end);
            }
        }
    }

    /// Walks a template; gives what a query can ask it for.
    fn template(&mut self, template: &Template) -> Vec<usize> {
        self.names.open();
        let first = self.names.names.symbols.len();
        template.params.iter().for_each(|param| self.param(param));
        template.declarations.iter().for_each(|declaration| self.declaration(declaration));
        let inside = |kind| matches!(kind, Kind::Variable | Kind::Constant | Kind::Parameter | Kind::Routine);
        let own: Vec<usize> =
            self.names.scopes.last().into_iter().flat_map(|s| s.values().copied()).collect();
        let mut members: Vec<usize> = (own.into_iter())
            .filter(|symbol| *symbol >= first && inside(self.names.names.symbols[*symbol].kind))
            .collect();
        members.sort_unstable();
        let detail = format!("location of {}", template.name.name);
        for location in &template.locations {
            let place = (&*location.name.name, location.name.span);
            // Only known behind the name of a process.
            let number =
                self.names.record(Space::Value, Kind::Location, place, location.name.span, Form::Plain);
            self.names.names.symbols[number].scope =
                Span { start: location.name.span.end, end: location.name.span.end };
            detail.clone_into(&mut self.names.names.symbols[number].detail);
            members.push(number);
        }
        for (at, declared) in &template.mentions {
            if let Some(symbol) = self.names.declared.get(&declared.start) {
                self.names.names.uses.push((*at, *symbol));
            }
        }
        for invariant in template.locations.iter().filter_map(|location| location.invariant.as_ref()) {
            self.expr(invariant);
        }
        template.edges.iter().for_each(|edge| self.edge(edge));
        self.names.close(template.span.end);
        members
    }

    fn edge(&mut self, edge: &Edge) {
        self.names.open();
        for (name, ty) in &edge.selects {
            let form = self.ty(ty);
            let detail = self.names.line(ty.span);
            self.declare(Kind::Parameter, name, name.span, form, &detail);
        }
        let sync = edge.sync.as_ref().map(|(channel, _)| channel);
        for part in edge.guard.iter().chain(sync).chain(&edge.updates) {
            self.expr(part);
        }
        self.names.close(edge.span.end);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(ty, variables) => {
                let kind = if ty.prefix.constant { Kind::Constant } else { Kind::Variable };
                self.variables(ty, variables, kind);
            }
            Declaration::Typedef(ty, variables) => self.variables(ty, variables, Kind::Type),
            Declaration::Function(function) => self.function(function),
            Declaration::ChannelPriority(groups, _) => {
                for member in groups.iter().flatten() {
                    if let ChannelOrDefault::Channel(channel) = member {
                        self.expr(channel);
                    }
                }
            }
        }
    }

    fn variables(&mut self, ty: &Type, variables: &[Variable], kind: Kind) {
        let base = self.ty(ty);
        for variable in variables {
            let form = self.dimensioned(base.clone(), &variable.dimensions);
            if let Some(initial) = &variable.initial {
                self.initial(initial, &form);
            }
            let mut detail = self.names.line(ty.span);
            let after = variable.name.span.end;
            let end = variable.dimensions.iter().map(dimension_end).max().map_or(after, |end| end + 1);
            detail.push_str(&self.names.line(Span { start: after, end }));
            let whole = Span { start: ty.span.start, end: end.max(after) };
            self.declare(kind, &variable.name, whole, form, &detail);
        }
    }

    fn dimensioned(&mut self, base: Form, dimensions: &[Dimension]) -> Form {
        let mut form = base;
        for dimension in dimensions {
            match dimension {
                Dimension::Expr(expr) => {
                    self.expr(expr);
                }
                Dimension::Type(ty) => {
                    self.ty(ty);
                }
            }
            form = Form::Array(Box::new(form));
        }
        form
    }

    fn initial(&mut self, initial: &Initial, form: &Form) {
        match initial {
            Initial::Expr(expr) => {
                self.expr(expr);
            }
            Initial::List(list, _) => {
                for (position, (field, initial)) in list.iter().enumerate() {
                    let fields = self.names.names.fields(form);
                    let inner = match (field, fields.get(position)) {
                        (Some(field), _) => self.names.field(form, &field.name, field.span),
                        (None, Some(field)) => self.names.names.symbols[*field].form.clone(),
                        (None, None) => self.names.names.element(form).clone(),
                    };
                    self.initial(initial, &inner);
                }
            }
        }
    }

    fn param(&mut self, param: &Param) {
        let form = self.ty(&param.ty);
        let form = self.dimensioned(form, &param.variable.dimensions);
        let detail = self.names.line(param.ty.span);
        let name = &param.variable.name;
        self.declare(Kind::Parameter, name, name.span, form, &detail);
    }

    fn function(&mut self, function: &Function) {
        let form = self.ty(&function.result);
        let whole = Span { start: function.result.span.start, end: function.body.span.end };
        let head = Span { start: whole.start, end: function.body.span.start };
        let detail = self.names.line(head);
        // Known from here on: a function cannot call itself, but whoever tries means this one.
        self.declare(Kind::Routine, &function.name, whole, form, &detail);
        self.names.open();
        function.params.iter().for_each(|param| self.param(param));
        self.block(&function.body);
        self.names.close(function.body.span.end);
    }

    /// Walks a type.
    fn ty(&mut self, ty: &Type) -> Form {
        match &ty.kind {
            TypeKind::Int(Some(bounds)) => {
                self.expr(&bounds.0);
                self.expr(&bounds.1);
                Form::Plain
            }
            TypeKind::Scalar(size) => {
                self.expr(size);
                Form::Plain
            }
            TypeKind::Struct(groups) => {
                let mut fields = Vec::new();
                for (ty, variables) in groups {
                    let base = self.ty(ty);
                    for variable in variables {
                        let form = self.dimensioned(base.clone(), &variable.dimensions);
                        let place = (&*variable.name.name, variable.name.span);
                        let field =
                            self.names.record(Space::Value, Kind::Field, place, variable.name.span, form);
                        self.names.names.symbols[field].detail = self.names.line(ty.span);
                        fields.push(field);
                    }
                }
                Form::Record(fields)
            }
            TypeKind::Named(name) => {
                self.names.used(Space::Value, &name.name, name.span).map_or(Form::Plain, Form::Named)
            }
            TypeKind::Int(None)
            | TypeKind::Bool
            | TypeKind::Clock
            | TypeKind::Real
            | TypeKind::Chan
            | TypeKind::Void => Form::Plain,
        }
    }

    /// Walks an expression; gives what is known of its type.
    fn expr(&mut self, e: &Expr) -> Form {
        match &e.kind {
            ExprKind::Number(_) | ExprKind::Real | ExprKind::Bool(_) | ExprKind::Deadlock => Form::Plain,
            // Brackets around a name belong to the expression.
            ExprKind::Name(name) => {
                let at = self.inside(name, e.span);
                self.name(name, at)
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(base);
                self.expr(index);
                self.names.names.element(&base).clone()
            }
            ExprKind::Field(base, field) => {
                let base = self.expr(base);
                self.names.field(&base, &field.name, field.span)
            }
            ExprKind::Call(callee, args) => {
                let form = self.expr(callee);
                args.iter().for_each(|arg| {
                    self.expr(arg);
                });
                form
            }
            ExprKind::Unary(_, e) | ExprKind::Rate(e) | ExprKind::Step { of: e, .. } => {
                self.expr(e);
                Form::Plain
            }
            ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b)
            }
            ExprKind::Cond(condition, a, b) => {
                self.expr(condition);
                self.expr(a);
                self.expr(b)
            }
            ExprKind::Quantified(_, name, ty, body) => {
                self.names.open();
                self.bound(name, ty);
                self.expr(body);
                self.names.close(e.span.end);
                Form::Plain
            }
        }
    }

    /// Where a name stands in an expression that is nothing else: behind the brackets, blanks and comments before it.
    fn inside(&self, name: &str, span: Span) -> Span {
        let text = self.names.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
            let comment = if rest.starts_with("/*") {
                rest.find("*/").map(|end| end + 2)
            } else if rest.starts_with("//") {
                rest.find('\n')
            } else {
                None
            };
            let Some(length) = comment else { break };
            rest = &rest[length..];
        }
        let start = span.start + (text.len() - rest.len()) as u32;
        Span { start, end: start + name.len() as u32 }
    }

    fn bound(&mut self, name: &Ident, ty: &Type) {
        let form = self.ty(ty);
        let detail = self.names.line(ty.span);
        self.declare(Kind::Parameter, name, name.span, form, &detail);
    }

    fn block(&mut self, block: &Block) {
        self.names.open();
        block.declarations.iter().for_each(|declaration| self.declaration(declaration));
        block.statements.iter().for_each(|stmt| self.stmt(stmt));
        self.names.close(block.span.end);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Return(None) => {}
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => {
                self.expr(e);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::For(init, condition, step, body) => {
                [init, condition, step].into_iter().for_each(|e| {
                    self.expr(e);
                });
                self.stmt(body);
            }
            StmtKind::Each(name, ty, body) => {
                self.names.open();
                self.bound(name, ty);
                self.stmt(body);
                self.names.close(stmt.span.end);
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.stmt(then);
                otherwise.iter().for_each(|otherwise| self.stmt(otherwise));
            }
        }
    }

    fn query(&mut self, query: &Query) {
        let Ok(kind) = &query.kind else { return };
        let parts: Vec<&Expr> = match kind {
            QueryKind::Possibly(p)
            | QueryKind::Invariantly(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Eventually(p) => vec![p],
            QueryKind::LeadsTo(p, q) => vec![p, q],
            QueryKind::Sup(p, list) | QueryKind::Inf(p, list) | QueryKind::Bounds(p, list) => {
                p.iter().chain(list).collect()
            }
        };
        parts.into_iter().for_each(|part| {
            self.expr(part);
        });
    }
}

fn dimension_end(dimension: &Dimension) -> u32 {
    match dimension {
        Dimension::Expr(expr) => expr.span.end,
        Dimension::Type(ty) => ty.span.end,
    }
}
