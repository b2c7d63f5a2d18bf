//! Parameters of a template that are passed by value and assigned to: each instance has a variable of its own for it.
//!
//! UPPAAL lets a template write to such a parameter as to a local variable, which begins with the value that was given.

use burnside_model::code::{Stmt, StmtKind};

use super::Lowerer;
use super::exprs::constant;
use super::scope::Symbol;
use crate::uppaal::ast::{self, Declaration, Template};

impl Lowerer {
    /// Declares a variable for each parameter by value that the template assigns to.
    pub(super) fn assigned_parameters(&mut self, template: &Template) -> Option<()> {
        for param in &template.params {
            let name = &param.variable.name;
            let by_value =
                !param.by_reference && !param.ty.prefix.constant && param.variable.dimensions.is_empty();
            if !by_value || !is_assigned(template, &name.name) {
                continue;
            }
            let ty = self.ty(&param.ty)?;
            let given = match self.scopes.find(&name.name).cloned() {
                Some(Symbol::Constant(value, _)) => constant(value, ty, name.span),
                Some(Symbol::Value(value)) => value,
                Some(Symbol::Local { local, .. }) => self.read_local(local, self.frame[local].ty, name.span),
                _ => continue,
            };
            let place = self.declare(&name.name, ty, name.span)?;
            let stmt = Stmt { kind: StmtKind::Assign(place.clone(), given), span: name.span };
            self.at_start(name.span, |_, out| {
                out.push(stmt);
                Some(())
            })?;
            self.scopes.add(&name.name, Symbol::Variable { place, fixed: false });
        }
        Some(())
    }
}

/// Whether a template assigns to a name outside of functions that have another meaning for it.
fn is_assigned(template: &Template, name: &str) -> bool {
    let by_edge = template.edges.iter().flat_map(|edge| &edge.updates).any(|update| writes(update, name));
    let by_function = template.declarations.iter().any(|declaration| match declaration {
        Declaration::Function(function) => {
            let own = function.params.iter().any(|param| param.variable.name.name == name);
            !own && block_writes(&function.body, name)
        }
        _ => false,
    });
    by_edge || by_function
}

fn block_writes(block: &ast::Block, name: &str) -> bool {
    let own = block.declarations.iter().any(|declaration| match declaration {
        Declaration::Variables(_, variables) => variables.iter().any(|variable| variable.name.name == name),
        _ => false,
    });
    !own && block.statements.iter().any(|stmt| statement_writes(stmt, name))
}

fn statement_writes(stmt: &ast::Stmt, name: &str) -> bool {
    match &stmt.kind {
        ast::StmtKind::Empty | ast::StmtKind::Return(None) => false,
        ast::StmtKind::Expr(e) | ast::StmtKind::Return(Some(e)) => writes(e, name),
        ast::StmtKind::Block(block) => block_writes(block, name),
        ast::StmtKind::For(a, b, c, body) => {
            [a, b, c].iter().any(|e| writes(e, name)) || statement_writes(body, name)
        }
        ast::StmtKind::Each(each, _, body) => each.name != name && statement_writes(body, name),
        ast::StmtKind::While(e, body) | ast::StmtKind::DoWhile(body, e) => {
            writes(e, name) || statement_writes(body, name)
        }
        ast::StmtKind::If(e, yes, no) => {
            writes(e, name)
                || statement_writes(yes, name)
                || no.as_ref().is_some_and(|no| statement_writes(no, name))
        }
    }
}

fn writes(expr: &ast::Expr, name: &str) -> bool {
    let is_name = |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Name(found) if found == name);
    expr.any(&|part| match &part.kind {
        ast::ExprKind::Assign(_, to, _) => is_name(to),
        ast::ExprKind::Step { of, .. } => is_name(of),
        _ => false,
    })
}
