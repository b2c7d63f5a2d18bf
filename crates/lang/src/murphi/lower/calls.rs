//! Functions, procedures, and calls of them.

use burnside_model::Span;
use burnside_model::code::{Arg, Call, Expr, ExprKind, Function, Place, PlaceKind, Storage, TypeId};

use super::scope::{Root, Space, Symbol};
use super::{Effects, Lowerer, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

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
                self.declare_name(Space::Value, name, Symbol::Local { local, writable: group.by_ref });
                by_reference.push(group.by_ref);
            }
        }
        let result = match &routine.result {
            None => None,
            Some(ty) => match self.ty(ty) {
                Some(ty) => Some(ty),
                None => {
                    whole = false;
                    None
                }
            },
        };
        let index = self.model.functions.len() as u32;
        let symbol = if whole { Symbol::Routine(index) } else { Symbol::Broken };
        // Known inside its own body, so that it can call itself, and from here on.
        let name = &routine.name;
        let earlier =
            self.scopes.outside(|outer| outer.declare(Space::Routine, &name.name, symbol, name.span));
        if let Some(earlier) = earlier {
            let message = format!("`{}` is declared twice", name.name);
            let error = Diagnostic::error(codes::DUPLICATE_NAME, name.span, message);
            self.report(error.label("the second declaration").also(earlier, "the first one is here"));
        }
        self.current = Effects { state: false, params: vec![false; by_reference.len()] };
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
        self.effects.push(Effects { state: false, params: all });
        self.routine = Some(result);
        // Declarations of the body may shadow parameters.
        self.scopes.push();
        for decl in &routine.decls {
            self.declare(decl, false);
        }
        let body = self.block(&routine.body);
        self.scopes.pop();
        self.scopes.pop();
        self.routine = None;
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
            None => {
                let message = format!("there is no function or procedure `{}`", name.name);
                let mut error = Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, message);
                if let Some(similar) = self.scopes.similar(Space::Routine, &name.name) {
                    error = error.help(format!("did you mean `{similar}`?"));
                } else {
                    error = error.help("a function must be declared before it is called");
                }
                self.report(error);
                None
            }
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
        let wanted: Vec<(TypeId, bool, String)> = (function.frame.locals.iter())
            .take(function.params as usize)
            .zip(&function.by_reference)
            .map(|(local, by_reference)| (local.ty, *by_reference, local.name.clone()))
            .collect();
        if args.len() != wanted.len() {
            let message =
                format!("`{}` takes {} arguments, but {} are given", name.name, wanted.len(), args.len());
            let declared = self.function(index).span;
            let declared = Span { start: declared.start, end: declared.start + 1 };
            self.report(
                Diagnostic::error(codes::ARGUMENT_COUNT, span, message).also(declared, "declared here"),
            );
            return None;
        }
        let lowered: Vec<Option<Arg>> = args
            .iter()
            .zip(&wanted)
            .map(|(arg, (ty, by_reference, name))| self.arg(arg, *ty, *by_reference, name))
            .collect();
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
        self.current.state |= outer_state;
        if let (Some(what), true) = (self.pure, writes_state) {
            self.current = before;
            let message = format!("{what} must not change the state, but `{}` does", name.name);
            self.report(Diagnostic::error(codes::SIDE_EFFECT, span, message));
        }
    }

    fn arg(&mut self, arg: &ast::Expr, ty: TypeId, by_reference: bool, name: &str) -> Option<Arg> {
        if by_reference {
            let (place, writable) = self.place(arg)?;
            let same = self.types().same(place.ty, ty);
            if !writable {
                let message = format!(
                    "`{}` must not be changed, but the parameter `{name}` is declared with `var`",
                    self.text(arg.span)
                );
                return self.error(codes::VAR_ARGUMENT, arg.span, message);
            }
            if !same {
                let (wanted, found) = (self.describe(ty), self.describe(place.ty));
                let message =
                    format!("the parameter `{name}` needs a variable of type `{wanted}`, not `{found}`");
                let error = Diagnostic::error(codes::VAR_ARGUMENT, arg.span, message);
                self.report(error.help("a `var` parameter and its argument must have the same type"));
                return None;
            }
            return Some(Arg::Reference(place));
        }
        if let ast::ExprKind::Undefined(word) = &arg.kind {
            if self.scopes.find(Space::Value, &word.name).is_none() && self.types().is_simple(ty) {
                return Some(Arg::Undefined);
            }
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
        let message = format!(
            "the parameter `{name}` is of type `{}`, not `{}`",
            self.describe(ty),
            self.describe(found)
        );
        self.error(codes::ARGUMENT_TYPE, arg.span, message)
    }

    /// A call used as a value.
    pub(super) fn call_value(&mut self, name: &ast::Ident, args: &[ast::Expr], span: Span) -> Option<Value> {
        let call = self.call(name, args, span)?;
        let Some(ty) = self.function(call.function).result else {
            let message = format!("`{}` is a procedure: it has no value", name.name);
            return self.error(codes::NO_RESULT, span, message);
        };
        Some(if self.types().is_simple(ty) {
            Value::Simple(Expr { kind: ExprKind::Call(Box::new(call)), ty, span })
        } else {
            Value::Aggregate(Place { kind: PlaceKind::Call(Box::new(call)), ty, span })
        })
    }
}
