//! Statements.

use burnside_model::Span;
use burnside_model::code::{
    Block, Expr, ExprKind, LocalId, Operand, Stmt, StmtKind, Storage, TypeId, TypeKind, Types,
};
use burnside_model::system::{Property, PropertyKind};

use super::constants::{Folded, fold};
use super::scope::{Access, Root, Space, Symbol};
use super::{Lowerer, Returns, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

impl Lowerer<'_> {
    /// A sequence of statements; those with errors are left out.
    pub(super) fn block(&mut self, stmts: &[ast::Stmt]) -> Block {
        let mut block = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            if let Some(kind) = self.statement(stmt) {
                block.push(Stmt { kind, span: stmt.span });
            }
        }
        block
    }

    fn statement(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        let span = stmt.span;
        match &stmt.kind {
            ast::StmtKind::Assign(target, value) => self.assignment(target, value),
            ast::StmtKind::If(clauses) => self.if_statement(clauses),
            ast::StmtKind::Switch(subject, cases) => self.switch(subject, cases),
            ast::StmtKind::For(names, body) => self.for_loops(names, body, span),
            ast::StmtKind::While(condition, body) => {
                let (condition, body) = (self.boolean(condition), self.scoped(|this| this.block(body)));
                Some(StmtKind::While(condition?, body))
            }
            ast::StmtKind::Alias(aliases, body) => self.alias_statement(aliases, body, span),
            ast::StmtKind::Call(name, args) => self.call_statement(name, args, span),
            ast::StmtKind::Clear(e) => self.target(e).map(StmtKind::Clear),
            ast::StmtKind::Undefine(e) => self.target(e).map(StmtKind::Undefine),
            ast::StmtKind::MultisetRemovePred(index, set, condition) => {
                let place = self.multiset(set)?;
                self.target(set)?;
                let (local, condition) = self.with_slot(index, place.ty, |this| this.boolean(condition));
                Some(StmtKind::MultisetRemovePred(local, place, condition?))
            }
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            ast::StmtKind::Error(text) => Some(StmtKind::Error(text.value.clone())),
            ast::StmtKind::PutText(text) => Some(StmtKind::PutText(text.value.clone())),
            ast::StmtKind::Put(e) => self.put(e),
            ast::StmtKind::Property(property) => self.property_statement(property),
        }
    }

    fn assignment(&mut self, to: &ast::Expr, value: &ast::Expr) -> Option<StmtKind> {
        let place = self.target(to);
        if let ast::ExprKind::Undefined(word) = &value.kind
            && self.scopes.find(Space::Value, &word.name).is_none()
        {
            return place.map(StmtKind::Undefine);
        }
        let value = self.value(value);
        let (place, value) = (place?, value?);
        let found = value.ty();
        let span = value.span();
        match value {
            Value::Simple(e) if self.types().is_simple(place.ty) => {
                if let Ok(e) = self.coerce(e, place.ty) {
                    return Some(StmtKind::Assign(place, e));
                }
            }
            Value::Aggregate(source) if self.types().same(place.ty, source.ty) => {
                return Some(StmtKind::Copy(place, source));
            }
            _ => {}
        }
        let (wanted, given) = (self.describe(place.ty), self.describe(found));
        let message =
            format!("a value of type `{given}` cannot be assigned to a variable of type `{wanted}`");
        let error = Diagnostic::error(codes::ASSIGNMENT_TYPE, span, message);
        let error = error.label(format!("this is of type `{given}`"));
        let error = match to.kind {
            ast::ExprKind::Name(_) => self.with_declaration(error, to),
            _ => error.also(place.span, format!("this is of type `{wanted}`")),
        };
        self.report(self.with_element_hint(error, place.ty, found));
        None
    }

    fn if_statement(&mut self, clauses: &[ast::IfClause]) -> Option<StmtKind> {
        let mut arms = Vec::new();
        let mut otherwise = Vec::new();
        let mut whole = true;
        for clause in clauses {
            let condition = clause.condition.as_ref().map(|condition| self.boolean(condition));
            let body = self.scoped(|this| this.block(&clause.body));
            match condition {
                Some(Some(condition)) => arms.push((condition, body)),
                Some(None) => whole = false,
                None => otherwise = body,
            }
        }
        whole.then_some(StmtKind::If(arms, otherwise))
    }

    fn switch(&mut self, subject: &ast::Expr, cases: &[ast::SwitchCase]) -> Option<StmtKind> {
        let subject = self.simple(subject);
        let mut lowered = Vec::new();
        let mut otherwise = Vec::new();
        let mut whole = true;
        for case in cases {
            let values = case.values.as_ref().map(|values| {
                values.iter().map(|value| self.case_value(subject.as_ref()?, value)).collect::<Vec<_>>()
            });
            let body = self.scoped(|this| this.block(&case.body));
            match values {
                None => otherwise = body,
                Some(values) => match values.into_iter().collect::<Option<Vec<_>>>() {
                    Some(values) => lowered.push((values, body)),
                    None => whole = false,
                },
            }
        }
        whole.then_some(StmtKind::Switch(subject?, lowered, otherwise))
    }

    fn case_value(&mut self, subject: &Expr, e: &ast::Expr) -> Option<Expr> {
        let value = self.simple(e)?;
        match self.coerce(value, subject.ty) {
            Ok(value) => Some(value),
            Err(value) => {
                let (wanted, found) = (self.describe(subject.ty), self.describe(value.ty));
                let message = format!("a case of type `{found}` in a switch over values of type `{wanted}`");
                let error = Diagnostic::error(codes::NOT_COMPARABLE, value.span, message);
                let error = error.also(subject.span, format!("this is of type `{wanted}`"));
                self.report(self.with_element_hint(error, subject.ty, value.ty));
                None
            }
        }
    }

    /// Several names are loops inside each other.
    fn for_loops(&mut self, names: &[ast::Quantifier], body: &[ast::Stmt], span: Span) -> Option<StmtKind> {
        let (first, rest) = names.split_first()?;
        self.scopes.push();
        let range = self.loop_range(first);
        let each = range.map(|(range, ty)| self.bind_loop(first, range, ty));
        let inner = if rest.is_empty() {
            Some(self.scoped(|this| this.block(body)))
        } else {
            self.for_loops(rest, body, span).map(|kind| vec![Stmt { kind, span }])
        };
        self.scopes.pop();
        Some(StmtKind::For(Box::new(each?), inner?))
    }

    /// Several aliases are inside each other.
    fn alias_statement(
        &mut self,
        aliases: &[ast::Alias],
        body: &[ast::Stmt],
        span: Span,
    ) -> Option<StmtKind> {
        self.scopes.push();
        let mut bound = Vec::new();
        let mut whole = true;
        for alias in aliases {
            for name in &alias.names {
                match self.alias(name, &alias.value) {
                    Some(Some(alias)) => bound.push(alias),
                    Some(None) => {}
                    None => whole = false,
                }
            }
        }
        let mut block = self.scoped(|this| this.block(body));
        self.scopes.pop();
        if !whole {
            return None;
        }
        if bound.is_empty() {
            // Aliases of constants only: nothing is left of them.
            let always = Expr { kind: ExprKind::Const(1), ty: Types::BOOL, span };
            return Some(StmtKind::If(vec![(always, block)], Vec::new()));
        }
        let (first, rest) = bound.split_first()?;
        for (local, operand) in rest.iter().rev() {
            let kind = StmtKind::Alias(*local, operand.clone(), block);
            block = vec![Stmt { kind, span }];
        }
        Some(StmtKind::Alias(first.0, first.1.clone(), block))
    }

    /// Declares an alias in the scope at hand. An alias of a constant is the constant: `Some(None)`.
    pub(super) fn alias(
        &mut self,
        name: &ast::Ident,
        target: &ast::Expr,
    ) -> Option<Option<(LocalId, Operand)>> {
        if target.is_designator() && !self.names_constant(target) {
            let Some((place, access)) = self.place(target) else {
                self.scopes.declare(Space::Value, &name.name, Symbol::Broken, name.span);
                return None;
            };
            let root = self.root(&place);
            let local = self.add_local(&name.name, place.ty, Storage::Reference, root);
            self.declare_name(Space::Value, name, Symbol::Local { local, access });
            return Some(Some((local, Operand::Place(place))));
        }
        let Some(value) = self.value(target) else {
            self.scopes.declare(Space::Value, &name.name, Symbol::Broken, name.span);
            return None;
        };
        match value {
            Value::Simple(e) => {
                if let Folded::Value(value) = fold(self.types(), &e) {
                    self.declare_name(Space::Value, name, Symbol::Constant { value, ty: e.ty });
                    return Some(None);
                }
                let local = self.add_local(&name.name, e.ty, Storage::Value, Root::Own);
                self.declare_name(Space::Value, name, Symbol::Local { local, access: Access::Value });
                Some(Some((local, Operand::Value(e))))
            }
            Value::Aggregate(place) => {
                let root = self.root(&place);
                let local = self.add_local(&name.name, place.ty, Storage::Reference, root);
                self.declare_name(Space::Value, name, Symbol::Local { local, access: Access::Value });
                Some(Some((local, Operand::Place(place))))
            }
        }
    }

    pub(super) fn names_constant(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Name(name) => {
                matches!(self.scopes.find(Space::Value, &name.name), Some((Symbol::Constant { .. }, _)))
            }
            _ => false,
        }
    }

    fn call_statement(&mut self, name: &ast::Ident, args: &[ast::Expr], span: Span) -> Option<StmtKind> {
        if !self.is_routine(&name.name) {
            match (name.name.to_ascii_lowercase().as_str(), args) {
                ("multisetadd", [element, set]) => return self.multiset_add(element, set),
                ("multisetremove", [index, set]) => {
                    let place = self.multiset(set)?;
                    self.target(set)?;
                    return Some(StmtKind::MultisetRemove(self.slot(index, place.ty)?, place));
                }
                ("multisetadd" | "multisetremove", _) => {
                    self.wrong_count(name, 2, args.len(), span);
                    return None;
                }
                _ => {}
            }
        }
        self.call(name, args, span).map(StmtKind::Call)
    }

    fn multiset_add(&mut self, element: &ast::Expr, set: &ast::Expr) -> Option<StmtKind> {
        let value = self.value(element);
        let place = self.multiset(set)?;
        self.target(set)?;
        let TypeKind::Multiset { element: wanted, .. } = self.types()[place.ty].kind else { return None };
        let value = value?;
        let found = value.ty();
        match value {
            Value::Simple(e) if self.types().is_simple(wanted) => {
                if let Ok(e) = self.coerce(e, wanted) {
                    return Some(StmtKind::MultisetAdd(Operand::Value(e), place));
                }
            }
            Value::Aggregate(source) if self.types().same(source.ty, wanted) => {
                return Some(StmtKind::MultisetAdd(Operand::Place(source), place));
            }
            _ => {}
        }
        let message = format!(
            "the elements of this multiset are of type `{}`, not `{}`",
            self.describe(wanted),
            self.describe(found)
        );
        let error =
            self.with_declaration(Diagnostic::error(codes::ARGUMENT_TYPE, element.span, message), set);
        self.report(self.with_element_hint(error, wanted, found));
        None
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        match (self.returns, value) {
            (Returns::NothingFromRule | Returns::NothingFromProcedure(_), None) => {
                Some(StmtKind::Return(None))
            }
            (Returns::Value(ty, declared), None) => {
                let result = self.describe(ty);
                let error =
                    Diagnostic::error(codes::RETURN_NOTHING, span, "this function must return a value");
                let error = error.also(declared, "its result is declared here");
                self.report(error.help(format!("write a value of type `{result}` after `return`")));
                None
            }
            (Returns::NothingFromRule, Some(e)) => {
                let error = Diagnostic::error(codes::RETURN_VALUE, e.span, "a rule cannot return a value");
                self.report(error.help("write `return` alone to end the rule"));
                None
            }
            (Returns::NothingFromProcedure(declared), Some(e)) => {
                let error =
                    Diagnostic::error(codes::RETURN_VALUE, e.span, "a procedure cannot return a value");
                let error = error.also(declared, "declared here without a result");
                self.report(error.help("add the type of the result to its declaration, as in `f() : T`"));
                None
            }
            (Returns::Value(wanted, declared), Some(e)) => self.result(wanted, declared, e),
            (Returns::Broken, e) => {
                e.and_then(|e| self.value(e));
                None
            }
        }
    }

    /// The result of a function, whose type is declared there.
    fn result(&mut self, wanted: TypeId, declared: Span, e: &ast::Expr) -> Option<StmtKind> {
        let value = self.value(e)?;
        let found = value.ty();
        match value {
            Value::Simple(e) if self.types().is_simple(wanted) => {
                if let Ok(e) = self.coerce(e, wanted) {
                    return Some(StmtKind::Return(Some(Operand::Value(e))));
                }
            }
            Value::Aggregate(place) if self.types().same(place.ty, wanted) => {
                return Some(StmtKind::Return(Some(Operand::Place(place))));
            }
            _ => {}
        }
        let (result, given) = (self.describe(wanted), self.describe(found));
        let message = format!("this function returns a value of type `{result}`, not `{given}`");
        let error = Diagnostic::error(codes::RETURN_TYPE, e.span, message)
            .label(format!("this is of type `{given}`"))
            .also(declared, "its result is declared here");
        self.report(self.with_element_hint(error, wanted, found));
        None
    }

    fn put(&mut self, e: &ast::Expr) -> Option<StmtKind> {
        let operand = if e.is_designator() && !self.names_constant(e) {
            Operand::Place(self.place(e)?.0)
        } else {
            match self.value(e)? {
                Value::Simple(e) => Operand::Value(e),
                Value::Aggregate(place) => Operand::Place(place),
            }
        };
        Some(StmtKind::Put(operand, self.text(e.span)))
    }

    fn property_statement(&mut self, property: &ast::Property) -> Option<StmtKind> {
        let condition = self.boolean(&property.condition);
        let name = property.name.as_ref().map(|name| name.value.clone());
        match property.kind {
            ast::PropertyKind::Assert | ast::PropertyKind::Invariant => {
                let message = name.unwrap_or_else(|| self.text(property.condition.span));
                Some(StmtKind::Assert(condition?, message))
            }
            ast::PropertyKind::Assume => condition.map(StmtKind::Assume),
            ast::PropertyKind::Cover => {
                let condition = condition?;
                let index = self.model.properties.len() as u32;
                let named = name.is_some();
                let name = name.unwrap_or_else(|| self.numbered(PropertyKind::Cover));
                self.model.properties.push(Property {
                    name,
                    named,
                    kind: PropertyKind::Cover,
                    binders: Vec::new(),
                    frame: Default::default(),
                    condition: None,
                    formula: None,
                    span: property.span,
                });
                Some(StmtKind::Cover(condition, index))
            }
            ast::PropertyKind::Liveness => {
                let error = Diagnostic::error(
                    codes::LIVENESS_STATEMENT,
                    property.span,
                    "a liveness property speaks of the whole model, not of one statement",
                );
                self.report(error.help("move it to the top level, beside the rules"));
                None
            }
        }
    }
}
