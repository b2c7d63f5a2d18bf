//! Declarations of variables and types, and initial values.

use burnside_model::Span;
use burnside_model::code::{
    Call, Expr, ExprKind, GlobalId, LocalId, Loop, LoopRange, Place, PlaceKind, Stmt, StmtKind, Storage,
    TypeId, TypeKind,
};
use burnside_model::network::Channel;

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Code, Diagnostic, codes};
use crate::uppaal::ast::{self, ChannelOrDefault, Declaration, Initial, Variable};

impl Lowerer {
    /// A declaration outside of functions; nothing if it is wrong.
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Option<()> {
        if self.real_declaration(declaration) {
            return Some(());
        }
        match declaration {
            Declaration::Variables(ty, variables) => {
                let base = self.ty(ty);
                for variable in variables {
                    match base {
                        Some(base) => {
                            self.variable(ty, base, variable);
                        }
                        // Named all the same, so that its uses are not errors too.
                        None => self.spoiled(&variable.name),
                    }
                }
                base.map(|_| ())
            }
            Declaration::Typedef(ty, names) => self.typedef(ty, names),
            Declaration::Function(function) => self.function(function),
            Declaration::ChannelPriority(groups, span) => self.channel_priority(groups, *span),
        }
    }

    pub(super) fn typedef(&mut self, ty: &ast::Type, names: &[Variable]) -> Option<()> {
        if self.is_empty_range(ty) && names.iter().all(|name| name.dimensions.is_empty()) {
            names.iter().for_each(|name| self.add(&name.name, Symbol::EmptyRange));
            return Some(());
        }
        let base = self.ty(ty)?;
        for variable in names {
            let name = &variable.name;
            let mut ty = self.dimensioned(base, &variable.dimensions, name.span)?;
            if self.is_annotated(name.span) {
                ty = self.ring(ty, name)?;
            }
            if matches!(self.types()[ty].kind, TypeKind::Scalarset(_)) {
                self.network.model.types.name(ty, &name.name);
            }
            self.add(name, Symbol::Type(ty));
        }
        Some(())
    }

    /// Makes a name known.
    pub(super) fn add(&mut self, name: &ast::Ident, symbol: Symbol) {
        if !self.scopes.add(&name.name, symbol) {
            let message = format!("`{}` is declared twice", name.name);
            self.error::<()>(codes::DUPLICATE_NAME, name.span, message);
        }
    }

    /// A name whose declaration is wrong.
    pub(super) fn spoiled(&mut self, name: &ast::Ident) {
        let ty = burnside_model::code::Types::INT;
        self.scopes.add(&name.name, Symbol::Constant(0, ty));
    }

    fn variable(&mut self, ty: &ast::Type, base: TypeId, variable: &Variable) -> Option<()> {
        let name = &variable.name;
        let mut base = base;
        if ty.prefix.constant && !variable.dimensions.is_empty() {
            base = self.narrowed(base, variable.initial.as_ref());
        }
        let range = self.value_ranges.get(&format!("{}{}", self.prefix, name.name)).copied();
        if let Some((lo, hi)) = range
            && !ty.prefix.constant
            && base == self.int()
        {
            // A type of its own: what other variables of this range are compared with tells nothing about this one.
            base = self.network.model.types.add(None, TypeKind::Range(lo, hi))?;
        }
        let Some(full) = self.dimensioned(base, &variable.dimensions, name.span) else {
            self.spoiled(name);
            return None;
        };
        if ty.prefix.constant {
            return self.constant_declaration(full, variable);
        }
        let place = self.declare(&name.name, full, name.span)?;
        self.add(name, Symbol::Variable { place: place.clone(), fixed: false });
        self.initialise_variable(&place, variable.initial.as_ref())
    }

    /// The type `int` for a constant array of integers, if its values are of it: then it is like arrays of variables.
    fn narrowed(&mut self, base: TypeId, initial: Option<&Initial>) -> TypeId {
        let wide = self.constant_int();
        let small = self.int();
        let (lo, hi) = self.types().bounds(small);
        if base == wide && initial.is_none_or(|initial| self.values_within(initial, lo, hi)) {
            return small;
        }
        base
    }

    /// Whether all values of a list that can be computed now are in a range.
    fn values_within(&mut self, initial: &Initial, lo: i64, hi: i64) -> bool {
        match initial {
            Initial::List(list, _) => list.iter().all(|(_, initial)| self.values_within(initial, lo, hi)),
            Initial::Expr(expr) => {
                let value = self.silently(|lowerer| lowerer.constant(expr));
                value.is_none_or(|value| lo <= value && value <= hi)
            }
        }
    }

    /// `const`: a simple one is a value, another one is a variable that never changes.
    fn constant_declaration(&mut self, ty: TypeId, variable: &Variable) -> Option<()> {
        let name = &variable.name;
        let Some(initial) = &variable.initial else {
            self.spoiled(name);
            let message = format!("the constant `{}` has no value", name.name);
            return self.error(codes::NOT_CONSTANT, name.span, message);
        };
        if !self.types().is_simple(ty) {
            let place = self.declare(&name.name, ty, name.span)?;
            self.cells_of(&place, |cell, lowerer| lowerer.network.constant.push(cell));
            self.add(name, Symbol::Variable { place: place.clone(), fixed: true });
            return self.initialise_variable(&place, Some(initial));
        }
        let value = match self.given(&name.name) {
            Some(text) => match text.parse().ok().or(match text.as_str() {
                "true" => Some(1),
                "false" => Some(0),
                _ => None,
            }) {
                Some(value) => Some(value),
                None => {
                    let message = format!("`{text}` is not a value for the constant `{}`", name.name);
                    self.error(codes::BAD_OVERRIDE, name.span, message)
                }
            },
            None => match initial {
                Initial::Expr(expr) if self.is_number(ty) => self.constant(expr),
                Initial::Expr(expr) => {
                    let message = format!("there are no constants that are {}", self.describe(ty));
                    self.error(codes::NOT_CONSTANT, expr.span, message)
                }
                Initial::List(_, span) => {
                    self.error(codes::ASSIGNMENT_TYPE, *span, "a single value is expected here")
                }
            },
        };
        let Some(mut value) = value else {
            self.spoiled(name);
            return None;
        };
        let (lo, hi) = self.types().bounds(ty);
        if ty == burnside_model::code::Types::BOOL {
            value = i64::from(value != 0);
        }
        if value < lo || value > hi {
            self.spoiled(name);
            let message = format!("{value} is outside the range {lo} to {hi} of `{}`", name.name);
            return self.error(codes::ASSIGNMENT_TYPE, name.span, message);
        }
        let constant = burnside_model::system::Constant { name: name.name.clone(), value, ty };
        self.network.model.constants.push(constant);
        self.add(name, Symbol::Constant(value, ty));
        Some(())
    }

    /// What was given from outside for a global constant.
    fn given(&mut self, name: &str) -> Option<String> {
        if !self.scopes.is_global() {
            return None;
        }
        let (_, text, used) = self.overrides.iter_mut().find(|(given, _, _)| given == name)?;
        *used = true;
        Some(text.clone())
    }

    /// Adds a state variable: for a process an array over its parameters.
    pub(super) fn declare(&mut self, name: &str, ty: TypeId, span: Span) -> Option<Place> {
        let params: Vec<TypeId> =
            self.frame.locals[..self.params as usize].iter().map(|local| local.ty).collect();
        let mut full = ty;
        for index in params.iter().rev() {
            full = self.array(*index, full, span)?;
        }
        let name = format!("{}{name}", self.prefix);
        let Some(global) = self.network.model.add_global(&name, full, span) else {
            return self.error(codes::STATE_TOO_LARGE, span, "the variables do not fit in a state");
        };
        self.register(global);
        let mut place = Place { kind: PlaceKind::Global(global), ty: full, span };
        for (number, index) in params.into_iter().enumerate() {
            let read = self.read_local(LocalId(number as u32), index, span);
            let TypeKind::Array { element, .. } = self.types()[place.ty].kind else { return None };
            place = Place { kind: PlaceKind::Index(Box::new(place), Box::new(read)), ty: element, span };
        }
        Some(place)
    }

    pub(super) fn read_local(&self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Read(Place { kind: PlaceKind::Local(local), ty, span }), ty, span }
    }

    /// Notes which cells of a new variable are clocks or channels.
    fn register(&mut self, global: GlobalId) {
        let model = &self.network.model;
        let (first, ty) = (model.globals[global.0 as usize].offset, model.globals[global.0 as usize].ty);
        let mut leaves = Vec::new();
        leaves_of(model, ty, &mut leaves);
        for (cell, ty) in (first..).zip(leaves) {
            if ty == self.clock {
                self.network.clocks.push(cell);
            } else if let Some(kind) = self.channels.iter().position(|channel| *channel == ty) {
                let (urgent, broadcast) = (kind & 1 != 0, kind & 2 != 0);
                let priority = self.network.priority;
                self.network.channels.push(Channel { cell, urgent, broadcast, priority });
            }
        }
    }

    /// Does something with every cell of the variable that a place is in.
    fn cells_of(&mut self, place: &Place, mut with: impl FnMut(u32, &mut Self)) {
        let mut root = place;
        while let PlaceKind::Index(base, _) | PlaceKind::Field(base, _) = &root.kind {
            root = base;
        }
        if let PlaceKind::Global(global) = root.kind {
            let first = self.network.model.globals[global.0 as usize].offset;
            for cell in first..first + self.types()[root.ty].cells {
                with(cell, self);
            }
        }
    }

    /// The statements that give a state variable its first value.
    fn initialise_variable(&mut self, place: &Place, initial: Option<&Initial>) -> Option<()> {
        self.at_start(place.span, |lowerer, out| match initial {
            Some(initial) => lowerer.initialise(place, initial, out),
            None => {
                lowerer.default_value(place, true, out);
                Some(())
            }
        })
    }

    /// Adds statements to the start: for a process, for each value of its parameters.
    pub(super) fn at_start(
        &mut self,
        span: Span,
        statements: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Option<()>,
    ) -> Option<()> {
        let frame = std::mem::take(&mut self.frame);
        let params = self.params as usize;
        // The parameters of the process stay the first locals.
        for local in &frame.locals[..params] {
            self.frame.add(&local.name, local.ty, 1, Storage::Value);
        }
        let mut body = Vec::new();
        let done = statements(self, &mut body);
        let used = std::mem::replace(&mut self.frame, frame);
        done?;
        if used.locals.is_empty() {
            self.start.append(&mut body);
            return Some(());
        }
        self.start_by_call(used, body, params, span)
    }

    /// Puts statements into a procedure with the parameters of a process, and calls it for each of their values.
    fn start_by_call(
        &mut self,
        frame: burnside_model::code::Frame,
        body: Vec<Stmt>,
        params: usize,
        span: Span,
    ) -> Option<()> {
        if body.is_empty() {
            return Some(());
        }
        let types: Vec<TypeId> = frame.locals[..params].iter().map(|local| local.ty).collect();
        let function = self.network.model.functions.len() as u32;
        self.network.model.functions.push(burnside_model::code::Function {
            name: format!("start of {}", self.prefix.trim_end_matches('.')),
            params: params as u32,
            by_reference: vec![false; params],
            result: None,
            frame,
            body,
            span,
        });
        self.effects.push(super::functions::Effects::default());
        let mut args = Vec::new();
        let mut loops = Vec::new();
        for ty in types {
            let local = self.start_frame.add("p", ty, 1, Storage::Value);
            args.push(burnside_model::code::Arg::Value(self.read_local(local, ty, span)));
            loops.push(Loop { local, range: LoopRange::Type(ty), span });
        }
        let mut stmt = Stmt { kind: StmtKind::Call(Call { function, args, span }), span };
        for each in loops.into_iter().rev() {
            stmt = Stmt { kind: StmtKind::For(Box::new(each), vec![stmt]), span };
        }
        self.start.push(stmt);
        Some(())
    }

    fn channel_priority(&mut self, groups: &[Vec<ChannelOrDefault>], span: Span) -> Option<()> {
        let members = groups.iter().flatten().filter(|member| **member == ChannelOrDefault::Default);
        if members.count() > 1 {
            return self.error(codes::DUPLICATE_NAME, span, "the default priority is there twice");
        }
        let named_default = groups.iter().position(|group| group.contains(&ChannelOrDefault::Default));
        // Without a place of its own, the default is the lowest.
        let lift = u32::from(named_default.is_none());
        self.network.priority = named_default.map_or(0, |at| at as u32);
        for channel in &mut self.network.channels {
            channel.priority = self.network.priority;
        }
        for (level, group) in (lift..).zip(groups) {
            for member in group {
                let ChannelOrDefault::Channel(expr) = member else { continue };
                let place = self.place(expr)?;
                if !self.holds(place.ty, &|ty| self.is_channel(ty)) {
                    return self.error(codes::WRONG_CLASS, expr.span, "this is not a channel");
                }
                let Some(first) = self.address(&place) else {
                    return self.error(codes::NOT_CONSTANT, span, "this must be known before the model runs");
                };
                let cells = first..first + self.types()[place.ty].cells;
                for channel in self.network.channels.iter_mut().filter(|c| cells.contains(&c.cell)) {
                    channel.priority = level;
                }
            }
        }
        Some(())
    }

    /// The cell of a place whose indices are constants.
    fn address(&self, place: &Place) -> Option<u32> {
        match &place.kind {
            PlaceKind::Global(global) => Some(self.network.model.globals[global.0 as usize].offset),
            PlaceKind::Index(base, index) => {
                let TypeKind::Array { index: ty, element } = self.types()[base.ty].kind else { return None };
                let at = self.computed(&self.frame, index)? - self.types().bounds(ty).0;
                let at = u32::try_from(at).ok().filter(|at| u64::from(*at) < self.types().size(ty))?;
                Some(self.address(base)? + at * self.types()[element].cells)
            }
            PlaceKind::Field(base, field) => {
                let TypeKind::Record(fields) = &self.types()[base.ty].kind else { return None };
                Some(self.address(base)? + fields[*field as usize].offset)
            }
            _ => None,
        }
    }

    /// Says that a name is not known, and which one may be meant.
    pub(super) fn unknown<T>(&mut self, code: Code, what: &str, name: &str, span: Span) -> Option<T> {
        let mut diagnostic = Diagnostic::error(code, span, format!("there is no {what} `{name}`"));
        if let Some(near) = self.scopes.similar(name) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic)
    }
}

/// The simple types of the cells of a type.
fn leaves_of(model: &burnside_model::Model, ty: TypeId, leaves: &mut Vec<TypeId>) {
    match &model.types[ty].kind {
        TypeKind::Array { index, element } => {
            for _ in 0..model.types.size(*index) {
                leaves_of(model, *element, leaves);
            }
        }
        TypeKind::Record(fields) => fields.iter().for_each(|field| leaves_of(model, field.ty, leaves)),
        _ => leaves.push(ty),
    }
}
