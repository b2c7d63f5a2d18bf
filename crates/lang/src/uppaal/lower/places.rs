//! Places: what can be assigned to, indexed, reset or synchronised on.

use burnside_model::Span;
use burnside_model::code::{Expr, ExprKind, Part, Place, PlaceKind, Storage, TypeId, TypeKind, Types};

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Diagnostic, codes};
use crate::uppaal::ast::{self, Ident};

impl Lowerer {
    /// The place that an expression names.
    pub(super) fn place(&mut self, expr: &ast::Expr) -> Option<Place> {
        match &expr.kind {
            ast::ExprKind::Name(name) => match self.scopes.find(name).cloned() {
                Some(Symbol::Variable { mut place, .. }) => {
                    place.span = expr.span;
                    Some(place)
                }
                Some(Symbol::Local { local, .. }) => {
                    let ty = self.frame[local].ty;
                    Some(Place { kind: PlaceKind::Local(local), ty, span: expr.span })
                }
                Some(Symbol::Constant(..) | Symbol::Value(_)) => {
                    self.error(codes::NOT_A_PLACE, expr.span, format!("`{name}` is a value, not a variable"))
                }
                Some(Symbol::Template(_) | Symbol::Instance(_)) if self.pure == Some("a query") => {
                    let message = format!("`{name}` is not in the system line");
                    self.error(codes::WRONG_CLASS, expr.span, message)
                }
                Some(Symbol::Process(_) | Symbol::Template(_) | Symbol::Instance(_)) => {
                    let message = format!("`{name}` is a process: name one of its locations or variables");
                    self.error(codes::WRONG_CLASS, expr.span, message)
                }
                Some(Symbol::Type(_) | Symbol::EmptyRange | Symbol::Function(..)) => {
                    let message = format!("`{name}` is a type or function, not a variable");
                    self.error(codes::WRONG_CLASS, expr.span, message)
                }
                Some(Symbol::Real) => self.depends_on_real(name, expr.span),
                Some(Symbol::Wrong) => None,
                None => {
                    let asks = self.pure == Some("a query");
                    let what = if asks { "process or variable" } else { "variable" };
                    self.unknown(codes::UNKNOWN_NAME, what, name, expr.span)
                }
            },
            ast::ExprKind::Index(base, index) => {
                let base = self.place(base)?;
                self.indexed(base, index, expr.span)
            }
            ast::ExprKind::Field(base, field) => {
                if let Some(process) = self.process_of(base) {
                    return self.process_variable(process?, field, expr.span);
                }
                let base = self.place(base)?;
                let TypeKind::Record(fields) = &self.types()[base.ty].kind else {
                    let message = format!("this is {}, which has no fields", self.describe(base.ty));
                    return self.error(codes::NOT_A_RECORD, field.span, message);
                };
                let Some(at) = fields.iter().position(|known| known.name == field.name) else {
                    let message = format!("there is no field `{}`", field.name);
                    return self.error(codes::UNKNOWN_FIELD, field.span, message);
                };
                let ty = fields[at].ty;
                Some(Place { kind: PlaceKind::Field(Box::new(base), at as u32), ty, span: expr.span })
            }
            ast::ExprKind::Call(callee, args) => {
                let (call, result) = self.call(callee, args, expr.span)?;
                match result {
                    Some(ty) => Some(Place { kind: PlaceKind::Call(Box::new(call)), ty, span: expr.span }),
                    None => self.error(codes::NO_RESULT, expr.span, "this function has no result"),
                }
            }
            ast::ExprKind::Cond(condition, yes, no) => {
                let condition = self.boolean(condition)?;
                let (yes, no) = (self.place(yes)?, self.place(no)?);
                if !self.types().same(yes.ty, no.ty) {
                    return self.error(
                        codes::BRANCH_TYPES,
                        expr.span,
                        "the two sides are of different types",
                    );
                }
                let ty = yes.ty;
                let kind = PlaceKind::Cond(Box::new(condition), Box::new(yes), Box::new(no));
                Some(Place { kind, ty, span: expr.span })
            }
            _ => self.error(codes::NOT_A_PLACE, expr.span, "this is a value, not a variable"),
        }
    }

    fn indexed(&mut self, base: Place, index: &ast::Expr, span: Span) -> Option<Place> {
        let TypeKind::Array { index: index_type, element } = self.types()[base.ty].kind else {
            let message = format!("this is {}, not an array", self.describe(base.ty));
            return self.error(codes::NOT_AN_ARRAY, span, message);
        };
        let at = self.value(index)?;
        let fits = if self.is_scalar(index_type) { at.ty == index_type } else { self.is_number(at.ty) };
        if !fits {
            let (wanted, found) = (self.describe(index_type), self.describe(at.ty));
            let mut diagnostic = Diagnostic::error(
                codes::INDEX_TYPE,
                index.span,
                format!("this array is indexed by {wanted}, this is {found}"),
            );
            if self.is_scalar(index_type) && self.is_number(at.ty) {
                diagnostic = diagnostic.help("scalars have no numbers: index by a variable of their type");
            }
            return self.report(diagnostic);
        }
        Some(Place { kind: PlaceKind::Index(Box::new(base), Box::new(at)), ty: element, span })
    }

    /// A place that may be assigned to.
    pub(super) fn target(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.place(expr)?;
        if let Some(purpose) = self.pure {
            let message = format!("{purpose} must not change anything");
            return self.error(codes::SIDE_EFFECT, expr.span, message);
        }
        let name = root_name(expr);
        let fixed = match name.and_then(|name| self.scopes.find(name)) {
            Some(Symbol::Variable { fixed, .. } | Symbol::Local { fixed, .. }) => *fixed,
            _ => true,
        };
        if fixed {
            let shown = name.unwrap_or("this");
            let message = format!("`{shown}` must not be assigned to");
            return self.error(codes::READ_ONLY, expr.span, message);
        }
        self.note_write(&place);
        Some(place)
    }

    /// Notes that the function at hand writes to a place.
    pub(super) fn note_write(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Global(_) => self.current.globals = true,
            PlaceKind::Local(local) => {
                if self.frame[*local].storage == Storage::Reference {
                    self.current.references.insert(local.0);
                }
            }
            PlaceKind::Index(base, _) | PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => {
                self.note_write(base)
            }
            PlaceKind::Cond(_, a, b) => {
                self.note_write(a);
                self.note_write(b);
            }
            PlaceKind::Call(_) => {}
        }
    }

    pub(super) fn read(&mut self, place: Place) -> Option<Expr> {
        let (ty, span) = (place.ty, place.span);
        if !self.types().is_simple(ty) {
            let message = format!("this is {}, a single value is expected", self.describe(ty));
            return self.error(codes::NOT_SIMPLE, span, message);
        }
        if self.is_channel(ty) {
            return self.error(codes::WRONG_CLASS, span, "a channel has no value");
        }
        Some(Expr { kind: ExprKind::Read(place), ty, span })
    }

    /// Whether an expression has one value, whatever the state.
    pub(super) fn is_constant(&self, expr: &Expr) -> bool {
        self.is_given(expr, false)
    }

    /// Whether an expression has one value for each value of the parameters of the process.
    pub(super) fn is_settled(&self, expr: &Expr) -> bool {
        self.is_given(expr, true)
    }

    pub(super) fn is_fixed(&self, place: &Place) -> bool {
        self.is_given_place(place, false)
    }

    /// Whether an expression has one value, where parameters may count as given.
    fn is_given(&self, expr: &Expr, params: bool) -> bool {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Not(_)
            | ExprKind::Neg(_)
            | ExprKind::BitNot(_)
            | ExprKind::Arith(..)
            | ExprKind::Order(..)
            | ExprKind::Logic(..)
            | ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Cond(..) => {
                let given = |part| matches!(part, Part::Expr(part) if self.is_given(part, params));
                Part::Expr(expr).parts().into_iter().all(given)
            }
            ExprKind::Read(place) => self.is_given_place(place, params),
            ExprKind::Call(call) => self.is_constant_call(call),
            _ => false,
        }
    }

    fn is_given_place(&self, place: &Place, params: bool) -> bool {
        match &place.kind {
            PlaceKind::Global(global) => {
                let first = self.network.model.globals[global.0 as usize].offset;
                self.network.constant.contains(&first)
            }
            PlaceKind::Local(_) => params,
            PlaceKind::Index(base, index) => {
                self.is_given_place(base, params) && self.is_given(index, params)
            }
            PlaceKind::Field(base, _) => self.is_given_place(base, params),
            PlaceKind::Call(call) => self.is_constant_call(call),
            _ => false,
        }
    }

    fn is_constant_call(&self, call: &burnside_model::code::Call) -> bool {
        let effects = &self.effects[call.function as usize];
        !effects.reads
            && !effects.globals
            && call.args.iter().all(|arg| match arg {
                burnside_model::code::Arg::Value(value) => self.is_constant(value),
                burnside_model::code::Arg::Reference(place) => self.is_fixed(place),
                burnside_model::code::Arg::Undefined => true,
            })
    }

    /// A location or variable of a process, named `P.x` or `P(i).x`.
    fn process_variable(&mut self, process: (u32, Vec<Expr>), field: &Ident, span: Span) -> Option<Place> {
        let (process, args) = process;
        let name = format!("{}.{}", self.network.processes[process as usize].name, field.name);
        let found = self.network.model.globals.iter().position(|global| global.name == name);
        let Some(global) = found else {
            let owner = &self.network.processes[process as usize].name;
            let message = format!("the process `{owner}` has no location or variable `{}`", field.name);
            return self.error(codes::UNKNOWN_NAME, field.span, message);
        };
        let ty = self.network.model.globals[global].ty;
        let mut place =
            Place { kind: PlaceKind::Global(burnside_model::code::GlobalId(global as u32)), ty, span };
        for arg in args {
            let TypeKind::Array { element, .. } = self.types()[place.ty].kind else { return None };
            place = Place { kind: PlaceKind::Index(Box::new(place), Box::new(arg)), ty: element, span };
        }
        Some(place)
    }

    /// Whether `P.location`: then the expression that says whether the process is there.
    pub(super) fn at_location(
        &mut self,
        base: &ast::Expr,
        field: &Ident,
        span: Span,
    ) -> Option<Option<Expr>> {
        let process = self.process_of(base)?;
        let Some((process, args)) = process else { return Some(None) };
        let owner = &self.network.processes[process as usize];
        let at = owner.locations.iter().position(|location| location.name == field.name)?;
        let mut place = owner.location.clone();
        substitute(&mut place, &args);
        let ty = place.ty;
        let here = Expr { kind: ExprKind::Read(place), ty, span };
        let there = Expr { kind: ExprKind::Const(at as i64), ty, span };
        Some(Some(Expr { kind: ExprKind::Eq(Box::new(here), Box::new(there)), ty: Types::BOOL, span }))
    }

    /// Whether `P.n` is a parameter or constant of a process: then its value.
    pub(super) fn constant_of_process(
        &mut self,
        base: &ast::Expr,
        field: &Ident,
        span: Span,
    ) -> Option<Option<Expr>> {
        let errors = self.diagnostics.len();
        let process = self.process_of(base)?;
        let Some((process, args)) = process else { return Some(None) };
        let found = match self.members.get(&(process, field.name.clone()))? {
            Symbol::Constant(value, ty) => Expr { kind: ExprKind::Const(*value), ty: *ty, span },
            Symbol::Local { local, .. }
            | Symbol::Value(Expr {
                kind: ExprKind::Read(Place { kind: PlaceKind::Local(local), .. }), ..
            }) => Expr { span, ..args.get(local.0 as usize)?.clone() },
            Symbol::Variable { place, .. } if self.types().is_simple(place.ty) => {
                let mut place = place.clone();
                substitute(&mut place, &args);
                self.diagnostics.truncate(errors);
                return Some(self.read(place));
            }
            _ => return None,
        };
        Some(Some(found))
    }

    /// Whether an expression names a process: then which, with its parameters, if they are right.
    #[allow(clippy::option_option)]
    pub(super) fn process_of(&mut self, expr: &ast::Expr) -> Option<Option<(u32, Vec<Expr>)>> {
        let (name, args): (&str, &[ast::Expr]) = match &expr.kind {
            ast::ExprKind::Name(name) => (name, &[]),
            ast::ExprKind::Call(callee, args) => match &callee.kind {
                ast::ExprKind::Name(name) => (name, args),
                _ => return None,
            },
            _ => return None,
        };
        let Some(Symbol::Process(process)) = self.scopes.find(name).cloned() else { return None };
        let params = self.network.processes[process as usize].params.clone();
        if params.len() != args.len() {
            let message = format!("the process `{name}` has {} parameters, not {}", params.len(), args.len());
            return Some(self.error(codes::ARGUMENT_COUNT, expr.span, message));
        }
        let mut values = Vec::new();
        for (arg, ty) in args.iter().zip(params) {
            let Some(value) = self.value(arg) else { return Some(None) };
            if let Some(value) = self.fitting(value, ty, arg.span) {
                values.push(value);
            } else {
                return Some(None);
            }
        }
        Some(Some((process, values)))
    }

    /// A value for a place or parameter of a type.
    pub(super) fn fitting(&mut self, value: Expr, ty: TypeId, span: Span) -> Option<Expr> {
        let takes_numbers = ty == self.clock || self.is_number(ty);
        let fits = if takes_numbers { self.is_number(value.ty) } else { value.ty == ty };
        if !fits {
            let wanted = if ty == self.clock { "an integer".to_owned() } else { self.describe(ty) };
            let message = format!("{wanted} is expected here, this is {}", self.describe(value.ty));
            let mut diagnostic = Diagnostic::error(codes::ASSIGNMENT_TYPE, span, message);
            if self.is_clock(value.ty) {
                diagnostic = diagnostic.help("the value of a clock can only be compared");
            }
            return self.report(diagnostic);
        }
        if ty == Types::BOOL && value.ty != Types::BOOL {
            let (zero, span) = (Expr { kind: ExprKind::Const(0), ty: value.ty, span }, span);
            return Some(Expr { kind: ExprKind::Ne(Box::new(value), Box::new(zero)), ty, span });
        }
        Some(value)
    }
}

/// The variable that an expression names a part of.
fn root_name(expr: &ast::Expr) -> Option<&str> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Index(base, _) | ast::ExprKind::Field(base, _) => root_name(base),
        _ => None,
    }
}

/// Puts values in the place of the first locals.
pub(super) fn substitute(place: &mut Place, args: &[Expr]) {
    match &mut place.kind {
        PlaceKind::Index(base, index) => {
            substitute(base, args);
            if let ExprKind::Read(Place { kind: PlaceKind::Local(local), .. }) = &index.kind
                && let Some(arg) = args.get(local.0 as usize)
            {
                **index = arg.clone();
            }
        }
        PlaceKind::Field(base, _) => substitute(base, args),
        _ => {}
    }
}
