//! Where values are stored: types, state variables, and the start state.

use burnside_model::Span;
use burnside_model::code::{Expr, Field, Frame, GlobalId, Place, Stmt, TypeId, TypeKind};
use burnside_model::system::Rule;

use super::super::ast::{BaseType, Init};
use super::super::symbols::{Class, Shape, Sort, Var, bounds};
use super::{Channel, Lowerer, Storage, build};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// The place of a variable, if it has one, and its first channel, if it makes some.
type Placed = (Option<(GlobalId, TypeId)>, Option<usize>);

impl Lowerer<'_> {
    fn too_large<T>(&self, span: Span) -> Read<T> {
        let message = "the state of this model is too large";
        Err(Box::new(Diagnostic::error(codes::STATE_TOO_LARGE, span, message)))
    }

    pub(super) fn range_ty(&mut self, lo: i64, hi: i64) -> TypeId {
        if let Some(ty) = self.ranges.get(&(lo, hi)) {
            return *ty;
        }
        let ty =
            self.model.types.add(None, TypeKind::Range(lo, hi)).unwrap_or(burnside_model::code::Types::INT);
        self.ranges.insert((lo, hi), ty);
        ty
    }

    /// The type of the values of a class, where they are declared with these bounds.
    pub(super) fn class_ty(&mut self, class: Class, interval: (i64, i64)) -> TypeId {
        match self.symbols.sort(class) {
            Sort::Pid => self.pid_ty,
            Sort::Mtype => self.mtype_ty,
            Sort::Chan => self.chan_ty,
            Sort::Number => self.range_ty(interval.0.min(0), interval.1.max(0)),
        }
    }

    fn ty_of(&mut self, shape: &Shape, span: Span) -> Read<TypeId> {
        let made = match shape {
            Shape::Simple { class, base } => {
                let mut interval = self.symbols.interval(*class);
                if *base == BaseType::Chan {
                    interval = (0, self.known_channels as i64);
                }
                return Ok(self.class_ty(*class, interval));
            }
            Shape::Array { index, length, element } => {
                let element = self.ty_of(element, span)?;
                let is_pid = self.symbols.sort(*index) == Sort::Pid
                    && self.model.types.bounds(self.pid_ty) == (0, i64::from(*length) - 1);
                let index = if is_pid { self.pid_ty } else { self.range_ty(0, i64::from(*length) - 1) };
                self.model.types.add(None, TypeKind::Array { index, element })
            }
            Shape::Record { name, fields } => {
                if let Some(ty) = self.records.get(name) {
                    return Ok(*ty);
                }
                let mut made = Vec::new();
                for (name, shape) in fields {
                    made.push(Field { name: name.clone(), ty: self.ty_of(shape, span)?, offset: 0 });
                }
                let ty = self.model.types.add(Some(name.clone()), TypeKind::Record(made));
                if let Some(ty) = ty {
                    self.records.insert(name.clone(), ty);
                }
                ty
            }
        };
        made.map_or_else(|| self.too_large(span), Ok)
    }

    fn variable(&mut self, name: &str, ty: TypeId, span: Span) -> Read<GlobalId> {
        match self.model.add_global(name, ty, span) {
            Some(id) if self.model.cells <= 65_536 => Ok(id),
            _ => self.too_large(span),
        }
    }

    /// Makes all types and state variables.
    pub(super) fn allocate(&mut self) -> Read<()> {
        let most = self.instances.iter().map(|instance| i64::from(instance.slot)).max().unwrap_or(0);
        let literals = self.largest_pid();
        let types = &mut self.model.types;
        let pids = TypeKind::Range(0, most.max(literals));
        let mut add = |name: &str, kind| types.add(Some(name.to_owned()), kind).unwrap_or(TypeId(1));
        self.pid_ty = add("process", pids);
        self.chan_ty = add("channel", TypeKind::Range(0, self.known_channels as i64));
        let mut names = vec!["no_mtype".to_owned()];
        names.extend(self.symbols.program.mtypes.iter().cloned());
        self.mtype_ty = add("mtype", TypeKind::Enum(names));
        self.pc_ty = (0..self.symbols.flows.len()).map(|process| self.location_ty(process)).collect();
        self.globals = Storage::default();
        for number in 0..self.symbols.globals.len() {
            let var = self.symbols.globals[number].clone();
            let (place, channel) = self.place_variable(&var, "", None, None)?;
            self.globals.variables.push(place);
            self.globals.channels.push(channel);
        }
        self.storage = vec![Storage::default(); self.instances.len()];
        // In the order of the process ids, so that a state shows them together.
        let mut order: Vec<usize> = (0..self.instances.len()).collect();
        order.sort_by_key(|number| (self.instances[*number].slot, self.instances[*number].process));
        for number in order {
            let instance = self.instances[number].clone();
            let process = &self.symbols.program.proctypes[instance.process];
            let (prefix, span) = (format!("{}_{}_", process.name, instance.slot), process.span);
            let ty = self.pc_ty[instance.process];
            let at = self.variable(&format!("{prefix}at"), ty, span)?;
            self.storage[number].at = Some((at, ty));
            let mut params = 0;
            for local in 0..self.symbols.locals[instance.process].len() {
                let var = self.symbols.locals[instance.process][local].clone();
                let fixed = var.param.then(|| instance.args.get(params).copied().flatten()).flatten();
                params += usize::from(var.param);
                let (place, channel) = self.place_variable(&var, &prefix, Some(number), fixed)?;
                self.storage[number].variables.push(place);
                self.storage[number].channels.push(channel);
            }
        }
        if self.channels.len() != self.known_channels {
            self.known_channels = self.channels.len();
            self.changed = true;
        }
        Ok(())
    }

    /// The largest number that is used as a process id.
    fn largest_pid(&mut self) -> i64 {
        let mut largest = 0;
        for var in self.symbols.globals.iter().chain(self.symbols.locals.iter().flatten()) {
            largest = largest.max(self.largest_inside(&var.shape));
        }
        largest.min(255)
    }

    fn largest_inside(&self, shape: &Shape) -> i64 {
        match shape {
            Shape::Simple { class, .. } if self.symbols.sort(*class) == Sort::Pid => {
                let fields = self.symbols.interval(self.symbols.root(*class)).1;
                self.symbols.interval(*class).1.max(fields)
            }
            Shape::Simple { .. } => 0,
            Shape::Array { element, .. } => self.largest_inside(element),
            Shape::Record { fields, .. } => {
                fields.iter().map(|(_, shape)| self.largest_inside(shape)).max().unwrap_or(0)
            }
        }
    }

    fn location_ty(&mut self, process: usize) -> TypeId {
        let flow = &self.symbols.flows[process];
        let names = (0..flow.nodes.len()).map(|node| {
            let mut labels: Vec<&String> =
                flow.labels.iter().filter(|(_, at)| **at == node).map(|(label, _)| label).collect();
            labels.sort();
            match labels.first() {
                _ if node == flow.last => "finished".to_owned(),
                Some(label) => format!("{label}_{node}"),
                None => format!("s{node}"),
            }
        });
        let names = std::iter::once("not_running".to_owned()).chain(names).collect();
        let name = format!("at_{}", self.symbols.program.proctypes[process].name);
        self.model.types.add(Some(name), TypeKind::Enum(names)).unwrap_or(self.pid_ty)
    }

    /// The place of a variable, none if its value is always the same; and its first channel.
    fn place_variable(
        &mut self,
        var: &Var,
        prefix: &str,
        owner: Option<usize>,
        fixed: Option<i64>,
    ) -> Read<Placed> {
        let span = var.decl.span;
        let channel = match &var.site {
            None => None,
            Some(site) => {
                let first = self.channels.len();
                let count = match &var.shape {
                    Shape::Array { length, .. } => *length,
                    _ => 1,
                };
                for number in 0..count {
                    let suffix = if count > 1 { format!("_{number}") } else { String::new() };
                    let name = format!("{prefix}{}{suffix}", var.decl.unique);
                    self.channel(&name, site.capacity, &site.fields, site.class, owner, span)?;
                }
                if self.channels.len() > 255 {
                    let message = "a model has at most 255 channels";
                    return Err(Box::new(Diagnostic::error(codes::BAD_SIZE, span, message)));
                }
                Some(first)
            }
        };
        if !var.assigned && (channel.is_some() || fixed.is_some() || self.unchanging(var).is_some()) {
            return Ok((None, channel));
        }
        let ty = self.ty_of(&var.shape, span)?;
        let name = format!("{prefix}{}", var.decl.unique);
        Ok((Some((self.variable(&name, ty, span)?, ty)), channel))
    }

    /// The value of a variable that is never assigned.
    pub(super) fn unchanging(&self, var: &Var) -> Option<i64> {
        if var.assigned || var.param || var.site.is_some() {
            return None;
        }
        let Shape::Simple { base, .. } = &var.shape else { return None };
        match &var.decl.init {
            Init::Zero => Some(0),
            Init::Value(value) => self.symbols.constant(value).ok().map(|value| cut(value, bounds(base))),
            _ => None,
        }
    }

    fn channel(
        &mut self,
        name: &str,
        capacity: u32,
        fields: &[BaseType],
        class: Class,
        owner: Option<usize>,
        span: Span,
    ) -> Read<()> {
        let classes = self.symbols.fields(class);
        let mut types = Vec::new();
        for (base, field) in fields.iter().zip(classes) {
            let whole = bounds(base);
            let sent = self.symbols.interval(self.symbols.root(field));
            let held = if sent.0 < whole.0 || sent.1 > whole.1 { whole } else { sent };
            let held = if *base == BaseType::Chan { (0, self.known_channels as i64) } else { held };
            types.push((self.class_ty(field, held), whole));
        }
        let length_ty = self.range_ty(0, i64::from(capacity));
        let made = (0..).zip(&types).map(|(number, (ty, _)): (u32, _)| Field {
            name: format!("m{number}"),
            ty: *ty,
            offset: 0,
        });
        let record = self.model.types.add(None, TypeKind::Record(made.collect()));
        let Some(record_ty) = record else { return self.too_large(span) };
        let index = self.range_ty(0, (i64::from(capacity) - 1).max(0));
        let Some(array_ty) = self.model.types.add(None, TypeKind::Array { index, element: record_ty }) else {
            return self.too_large(span);
        };
        let mut storage = None;
        if capacity > 0 {
            let length = self.variable(&format!("{name}_len"), length_ty, span)?;
            storage = Some((length, self.variable(name, array_ty, span)?));
        }
        self.channels.push(Channel {
            capacity,
            class,
            storage,
            length_ty,
            fields: types,
            record_ty,
            array_ty,
            owner,
        });
        Ok(())
    }

    /// Sets every cell of a place.
    pub(super) fn fill(&self, place: Place, value: i64, body: &mut Vec<Stmt>) {
        match self.model.types[place.ty].kind.clone() {
            TypeKind::Array { index, element } => {
                let (lo, hi) = self.model.types.bounds(index);
                for at in lo..=hi {
                    self.fill(build::index(place.clone(), build::typed(at, index), element), value, body);
                }
            }
            TypeKind::Record(fields) => {
                for (number, field) in (0..).zip(&fields) {
                    self.fill(build::field(place.clone(), number, field.ty), value, body);
                }
            }
            _ => body.push(build::assign(place.clone(), build::typed(value, place.ty))),
        }
    }

    /// The state before the first step.
    pub(super) fn start(&mut self) -> Read<()> {
        let mut body = Vec::new();
        for (number, global) in self.model.globals.clone().iter().enumerate() {
            self.fill(build::global(GlobalId(number as u32), global.ty), 0, &mut body);
        }
        for number in 0..self.symbols.globals.len() {
            let var = self.symbols.globals[number].clone();
            let values = self.first_values(None, &var, number)?;
            body.extend(values);
        }
        for number in 0..self.instances.len() {
            if self.instances[number].initial {
                let started = self.begin(number, None)?;
                body.extend(started);
            }
        }
        let (name, span) = ("start".to_owned(), Span::default());
        let frame = Frame::default();
        let binders = Vec::new();
        self.model.starts.push(Rule {
            name,
            named: false,
            binders,
            frame,
            guard: None,
            body,
            fairness: None,
            span,
        });
        Ok(())
    }

    /// Assigns the first values of a variable that are not 0.
    pub(super) fn first_values(&mut self, owner: Option<usize>, var: &Var, number: usize) -> Read<Vec<Stmt>> {
        let storage = owner.map_or(&self.globals, |owner| &self.storage[owner]);
        let (Some((id, ty)), channel) = (storage.variables[number], storage.channels[number]) else {
            return Ok(Vec::new());
        };
        let place = build::global(id, ty);
        let kind = self.model.types[ty].kind.clone();
        let element = |at: u32| match kind {
            TypeKind::Array { index, element } => {
                build::index(place.clone(), build::typed(i64::from(at), index), element)
            }
            _ => place.clone(),
        };
        let length = match &var.shape {
            Shape::Array { length, .. } => *length,
            _ => 1,
        };
        let mut values: Vec<(u32, Expr)> = Vec::new();
        if let Some(first) = channel {
            values.extend((0..length).map(|at| (at, build::int(first as i64 + 1 + i64::from(at)))));
        }
        match &var.decl.init {
            Init::Value(value) => {
                let cx = self.context(owner);
                let value = self.value(&cx, value)?;
                values.extend((0..length).map(|at| (at, value.clone())));
            }
            Init::Values(all) => {
                let cx = self.context(owner);
                for (at, value) in (0..length).zip(all) {
                    values.push((at, self.value(&cx, value)?));
                }
            }
            Init::Zero | Init::Channel(..) => {}
        }
        let simple = match &var.shape {
            Shape::Array { element, .. } => element.as_ref(),
            other => other,
        };
        let Shape::Simple { base, .. } = simple else { return Ok(Vec::new()) };
        let whole = bounds(base);
        let given = values.into_iter().map(|(at, value)| {
            let place = element(at);
            let value = self.cut_to(value, whole, place.ty);
            build::assign(place, value)
        });
        Ok(given.collect())
    }
}

/// A value as a variable with these bounds stores it.
pub(super) fn cut(value: i64, (lo, hi): (i64, i64)) -> i64 {
    let size = hi - lo + 1;
    (value - lo).rem_euclid(size) + lo
}
