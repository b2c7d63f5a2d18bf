//! Functions, procedures, and calls of them.

use burnside_model::Span;
use burnside_model::code::{Arg, Call, Expr, ExprKind, Function, Place, PlaceKind, Storage, TypeId};

use super::hints::arguments;
use super::places::read_only;
use super::scope::{Access, Root, Space, Symbol};
use super::{Effects, Lowerer, Returns, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

/// What a call needs to know of a parameter.
struct Param {
    name: String,
    ty: TypeId,
    var: bool,
}

impl Lowerer<'_> {
    /// Declares a function or procedure.
    pub(super) fn routine(&mut self, routine: &ast::Routine) {
        self.scopes.push();
        let mut by_reference = Vec::new();
        let mut whole = true;
        for group in &routine.params {
            let ty = self.ty(&group.ty);
            for name in &group.names {
                let Some(ty) = ty else {
                    whole = false;
                    self.declare_name(Space::Value, name, Symbol::Broken);
                    continue;
                };
                let reference = group.by_ref || !self.types().is_simple(ty);
                let (storage, root) = match reference {
                    true => (Storage::Reference, Root::Param(by_reference.len())),
                    false => (Storage::Value, Root::Own),
                };
                let local = self.add_local(&name.name, ty, storage, root);
                let access = if group.by_ref { Access::Free } else { Access::Parameter };
                self.declare_name(Space::Value, name, Symbol::Local { local, access });
                by_reference.push(group.by_ref);
            }
        }
        self.returns = match &routine.result {
            None => Returns::NothingFromProcedure(routine.name.span),
            Some(written) => self.ty(written).map_or(Returns::Broken, |ty| Returns::Value(ty, written.span)),
        };
        whole &= !matches!(self.returns, Returns::Broken);
        let result = match self.returns {
            Returns::Value(ty, _) => Some(ty),
            _ => None,
        };
        let index = self.model.functions.len() as u32;
        let symbol = if whole { Symbol::Routine(index) } else { Symbol::Broken };
        // Known inside its own body, so that it can call itself, and from here on.
        let name = &routine.name;
        let earlier =
            self.scopes.outside(|outer| outer.declare(Space::Routine, &name.name, symbol, name.span));
        if let Some(earlier) = earlier {
            self.declared_twice(name, earlier);
        }
        self.current = Effects { state: None, params: vec![false; by_reference.len()] };
        self.model.functions.push(Function {
            name: routine.name.name.clone(),
            params: by_reference.len() as u32,
            by_reference,
            result,
            frame: self.frame.clone(),
            body: Vec::new(),
            span: routine.span,
        });
        // While it is being read, it counts as writing all it can.
        let all = vec![true; self.current.params.len()];
        self.effects.push(Effects { state: None, params: all });
        // Declarations of the body may shadow parameters.
        self.scopes.push();
        for decl in &routine.decls {
            self.declare(decl, false);
        }
        let body = self.block(&routine.body);
        self.scopes.pop();
        self.scopes.pop();
        self.returns = Returns::NothingFromRule;
        self.effects[index as usize] = std::mem::take(&mut self.current);
        let frame = self.take_frame();
        let function = &mut self.model.functions[index as usize];
        function.frame = frame;
        function.body = body;
    }

    /// The routine of this name; unknown ones are reported.
    fn find_routine(&mut self, name: &ast::Ident) -> Option<u32> {
        match self.scopes.find(Space::Routine, &name.name) {
            Some((Symbol::Routine(index), _)) => Some(index),
            Some(_) => None,
            None => self.unknown(Space::Routine, name),
        }
    }

    /// Whether the model declares a routine of this name.
    pub(super) fn is_routine(&self, name: &str) -> bool {
        self.scopes.find(Space::Routine, name).is_some()
    }

    /// A call; its effects are remembered.
    pub(super) fn call(&mut self, name: &ast::Ident, args: &[ast::Expr], span: Span) -> Option<Call> {
        let index = self.find_routine(name)?;
        let function = self.function(index);
        let wanted: Vec<Param> = (function.frame.locals.iter())
            .take(function.params as usize)
            .zip(&function.by_reference)
            .map(|(local, var)| Param { name: local.name.clone(), ty: local.ty, var: *var })
            .collect();
        if args.len() != wanted.len() {
            self.wrong_count(name, wanted.len(), args.len(), span);
            return None;
        }
        let lowered: Vec<Option<Arg>> =
            args.iter().zip(&wanted).map(|(arg, param)| self.arg(name, param, arg)).collect();
        let args = lowered.into_iter().collect::<Option<Vec<_>>>()?;
        self.note_call(index, &args, name, span);
        Some(Call { function: index, args, span })
    }

    fn note_call(&mut self, index: u32, args: &[Arg], name: &ast::Ident, span: Span) {
        let effects = self.effects[index as usize].clone();
        let before = self.current.clone();
        let outer_state = std::mem::replace(&mut self.current.state, effects.state);
        for (arg, written) in args.iter().zip(&effects.params) {
            if let (Arg::Reference(place), true) = (arg, written) {
                self.note_write(place);
            }
        }
        let writes_state = self.current.state;
        self.current.state = outer_state.or(writes_state);
        if let (Some(what), true) = (self.pure, writes_state.is_some()) {
            self.current = before;
            let message = format!("{what} must not change the state, but `{}` does", name.name);
            let error = self.with_routine(Diagnostic::error(codes::SIDE_EFFECT, span, message), name);
            self.report(error.help("change the state in the statements of a rule"));
        }
    }

    pub(super) fn wrong_count(&mut self, name: &ast::Ident, wanted: usize, given: usize, span: Span) {
        let verb = if given == 1 { "is" } else { "are" };
        let message = format!("`{}` takes {}, but {given} {verb} given", name.name, arguments(wanted));
        let error = Diagnostic::error(codes::ARGUMENT_COUNT, span, message);
        self.report(self.with_routine(error, name));
    }

    /// The argument for a `var` parameter.
    fn var_arg(&mut self, routine: &ast::Ident, param: &Param, arg: &ast::Expr) -> Option<Arg> {
        let (text, name) = (self.text(arg.span), &param.name);
        let (message, help) = if !arg.is_designator() || self.names_constant(arg) {
            let message =
                format!("`{text}` cannot be passed for the `var` parameter `{name}`: it is not a variable");
            (message, "store the value in a variable first")
        } else {
            let (place, access) = self.place(arg)?;
            if access != Access::Free {
                let (why, help) = read_only(access);
                (format!("`{text}` cannot be passed for the `var` parameter `{name}`: {why}"), help)
            } else if !self.types().same(place.ty, param.ty) {
                let (wanted, found) = (self.describe(param.ty), self.describe(place.ty));
                let message = format!(
                    "the `var` parameter `{name}` needs a variable of type `{wanted}`, not `{found}`"
                );
                (message, "a `var` parameter and its argument must have the same type")
            } else {
                return Some(Arg::Reference(place));
            }
        };
        let error = Diagnostic::error(codes::VAR_ARGUMENT, arg.span, message);
        self.report(self.with_routine(error, routine).help(help));
        None
    }

    fn arg(&mut self, routine: &ast::Ident, param: &Param, arg: &ast::Expr) -> Option<Arg> {
        if param.var {
            return self.var_arg(routine, param, arg);
        }
        let ty = param.ty;
        if let ast::ExprKind::Undefined(word) = &arg.kind
            && self.scopes.find(Space::Value, &word.name).is_none()
            && self.types().is_simple(ty)
        {
            return Some(Arg::Undefined);
        }
        let value = self.value(arg)?;
        let found = value.ty();
        match value {
            Value::Simple(e) if self.types().is_simple(ty) => {
                if let Ok(e) = self.coerce(e, ty) {
                    return Some(Arg::Value(e));
                }
            }
            Value::Aggregate(place) if self.types().same(place.ty, ty) => return Some(Arg::Reference(place)),
            _ => {}
        }
        let (wanted, name) = (self.describe(ty), &param.name);
        let message =
            format!("the argument for `{name}` must be of type `{wanted}`, not `{}`", self.describe(found));
        let error = self.with_routine(Diagnostic::error(codes::ARGUMENT_TYPE, arg.span, message), routine);
        self.report(self.with_element_hint(error, ty, found));
        None
    }

    /// A call used as a value.
    pub(super) fn call_value(&mut self, name: &ast::Ident, args: &[ast::Expr], span: Span) -> Option<Value> {
        let call = self.call(name, args, span)?;
        let Some(ty) = self.function(call.function).result else {
            let message = format!("`{}` has no result: it is a procedure", name.name);
            let error = self.with_routine(Diagnostic::error(codes::NO_RESULT, span, message), name);
            self.report(error.help("call it as a statement of its own"));
            return None;
        };
        Some(if self.types().is_simple(ty) {
            Value::Simple(Expr { kind: ExprKind::Call(Box::new(call)), ty, span })
        } else {
            Value::Aggregate(Place { kind: PlaceKind::Call(Box::new(call)), ty, span })
        })
    }
}
