//! Templates, their instances, and the processes of the system line.

use std::rc::Rc;

use burnside_model::code::{
    Expr, Frame, LocalId, Loop, LoopRange, Place, Stmt, StmtKind, Storage, TypeId, TypeKind,
};
use burnside_model::network::{Edge, Location, Process, Sync};
use burnside_model::system::{Binder, Rule};

use super::Lowerer;
use super::exprs::constant;
use super::scope::Symbol;
use crate::diag::{Diagnostic, codes};
use crate::uppaal::ast::{self, Ident, Param, Template};

/// Partial instances of partial instances beyond this are refused.
const MAX_CHAIN: usize = 64;

impl Lowerer {
    pub(super) fn template(&mut self, template: &Template) {
        self.add(&template.name, Symbol::Template(Rc::new(template.clone())));
    }

    pub(super) fn instantiation(&mut self, instantiation: &ast::Instantiation) {
        match self.scopes.find(&instantiation.template.name) {
            Some(Symbol::Template(_) | Symbol::Instance(_)) => {
                self.add(&instantiation.name, Symbol::Instance(Rc::new(instantiation.clone())));
            }
            Some(_) => {
                let message = format!("`{}` is not a template", instantiation.template.name);
                self.error::<()>(codes::WRONG_CLASS, instantiation.template.span, message);
                self.add(&instantiation.name, Symbol::Wrong);
            }
            None => {
                let name = &instantiation.template;
                self.unknown::<()>(codes::UNKNOWN_NAME, "template", &name.name, name.span);
                self.add(&instantiation.name, Symbol::Wrong);
            }
        }
    }

    pub(super) fn system(&mut self, groups: &[Vec<Ident>]) {
        let mut made = Vec::new();
        for (priority, group) in (0..).zip(groups) {
            for name in group {
                if made.iter().any(|(known, _): &(String, u32)| *known == name.name) {
                    let message = format!("the process `{}` is there twice", name.name);
                    self.error::<()>(codes::DUPLICATE_NAME, name.span, message);
                    continue;
                }
                if self.has_no_instance(name) {
                    continue;
                }
                if let Some(process) = self.process(name, priority) {
                    made.push((name.name.clone(), process));
                }
            }
        }
        // From here on, in queries, the names are those of processes.
        for (name, process) in made {
            self.scopes.add(&name, Symbol::Process(process));
        }
    }

    /// Whether an open parameter has no values: then no process is made.
    fn has_no_instance(&mut self, name: &Ident) -> bool {
        let params = match self.scopes.find(&name.name) {
            Some(Symbol::Template(template)) => template.params.clone(),
            Some(Symbol::Instance(instance)) => instance.params.clone(),
            _ => return false,
        };
        params.iter().any(|param| self.is_empty_range(&param.ty))
    }

    /// One name of the system line.
    fn process(&mut self, name: &Ident, priority: u32) -> Option<u32> {
        let symbol = match self.scopes.find(&name.name) {
            Some(symbol @ (Symbol::Template(_) | Symbol::Instance(_))) => symbol.clone(),
            Some(Symbol::Wrong) => return None,
            Some(_) => {
                let message = format!("`{}` is not a template or process", name.name);
                return self.error(codes::WRONG_CLASS, name.span, message);
            }
            None => return self.unknown(codes::UNKNOWN_NAME, "template or process", &name.name, name.span),
        };
        self.scopes.open();
        self.prefix = format!("{}.", name.name);
        self.frame = Frame::default();
        let params = match &symbol {
            Symbol::Template(template) => &template.params,
            Symbol::Instance(instance) => &instance.params,
            _ => return None,
        };
        let made = self.open_parameters(params).and_then(|()| {
            self.params = self.frame.locals.len() as u32;
            let template = self.resolve(&symbol, 0)?;
            self.automaton(name, &template, priority)
        });
        self.scopes.close_all();
        self.params = 0;
        self.prefix.clear();
        self.frame = Frame::default();
        made
    }

    /// The parameters that are left open: one instance for each of their values.
    fn open_parameters(&mut self, params: &[Param]) -> Option<()> {
        for param in params {
            let name = &param.variable.name;
            let ty = self.ty(&param.ty)?;
            if param.by_reference || !param.variable.dimensions.is_empty() {
                let diagnostic = Diagnostic::error(
                    codes::OPEN_PARAMETER,
                    name.span,
                    format!("the parameter `{}` must be given: it cannot range over all values", name.name),
                );
                return self
                    .report(diagnostic.help("write `P = Template(…);` and name `P` in the system line"));
            }
            let ty = self.finite(ty, param.ty.span, "an open parameter ranges over")?;
            let local = self.frame.add(&name.name, ty, 1, Storage::Value);
            self.add(name, Symbol::Local { local, fixed: true });
        }
        Some(())
    }

    /// The template behind an instance, with its parameters bound to what they were given.
    fn resolve(&mut self, symbol: &Symbol, depth: usize) -> Option<Rc<Template>> {
        let instance = match symbol {
            Symbol::Template(template) => return Some(template.clone()),
            Symbol::Instance(instance) => instance.clone(),
            _ => return None,
        };
        if depth > MAX_CHAIN {
            return self.error(codes::NESTED_TOO_DEEPLY, instance.span, "too many instances of instances");
        }
        let inner = self.scopes.find(&instance.template.name)?.clone();
        let params = match &inner {
            Symbol::Template(template) => template.params.clone(),
            Symbol::Instance(instance) => instance.params.clone(),
            _ => return None,
        };
        if params.len() != instance.args.len() {
            let message = format!(
                "`{}` has {} parameters, {} are given",
                instance.template.name,
                params.len(),
                instance.args.len()
            );
            return self.error(codes::ARGUMENT_COUNT, instance.span, message);
        }
        let mut bound = Vec::new();
        for (param, arg) in params.iter().zip(&instance.args) {
            bound.push((param.variable.name.clone(), self.argument(param, arg)?));
        }
        // The arguments were read in the scope of the instance; the template sees only what they stand for.
        self.scopes.close_all();
        self.scopes.open();
        for (name, symbol) in bound {
            self.add(&name, symbol);
        }
        self.resolve(&inner, depth + 1)
    }

    fn argument(&mut self, param: &Param, arg: &ast::Expr) -> Option<Symbol> {
        if param.ty.kind == ast::TypeKind::Real {
            self.without_effect(arg)?;
            return Some(Symbol::Real);
        }
        let ty = self.ty(&param.ty)?;
        let name = &param.variable.name;
        let ty = self.dimensioned(ty, &param.variable.dimensions, name.span)?;
        if !param.by_reference && self.holds(ty, &|ty| ty == self.clock || self.is_channel(ty)) {
            let message = "clocks and channels are passed by reference: `&`";
            return self.error(codes::VAR_ARGUMENT, name.span, message);
        }
        if param.by_reference || !self.types().is_simple(ty) {
            let place = self.place(arg)?;
            let constant = param.ty.prefix.constant || !param.by_reference;
            let same = self.types().same(place.ty, ty)
                || self.is_channels(place.ty, ty)
                || constant && self.reads_as(place.ty, ty);
            if !same {
                return self.mismatch(codes::ARGUMENT_TYPE, arg.span, ty, place.ty);
            }
            let fixed = constant || self.is_fixed(&place);
            return Some(Symbol::Variable { place, fixed });
        }
        let pure = self.pure.replace("an argument");
        let value = self.value(arg);
        self.pure = pure;
        let value = self.fitting(value?, ty, arg.span)?;
        match self.computed(&self.frame.clone(), &value) {
            Some(known) => {
                let (lo, hi) = self.types().bounds(ty);
                if known < lo || known > hi {
                    let message = format!("{known} is outside the range {lo} to {hi} of the parameter");
                    return self.error(codes::ARGUMENT_TYPE, arg.span, message);
                }
                Some(Symbol::Constant(known, ty))
            }
            None if self.is_settled(&value) => Some(Symbol::Value(Expr { ty, ..value })),
            None => {
                let message = "what is passed by value must be known before the model runs";
                let diagnostic = Diagnostic::error(codes::NOT_CONSTANT, arg.span, message);
                self.report(diagnostic.help(format!("pass it by reference: `&{}`", name.name)))
            }
        }
    }

    /// Whether both types are channels, or arrays of channels over the same indices, of whatever kind.
    fn is_channels(&self, a: TypeId, b: TypeId) -> bool {
        match (&self.types()[a].kind, &self.types()[b].kind) {
            (
                TypeKind::Array { index: a_index, element: a },
                TypeKind::Array { index: b_index, element: b },
            ) => self.types().same(*a_index, *b_index) && self.is_channels(*a, *b),
            _ => self.is_channel(a) && self.is_channel(b),
        }
    }

    fn automaton(&mut self, name: &Ident, template: &Template, priority: u32) -> Option<u32> {
        let Some(initial) = template.initial else {
            let message = format!("the template `{}` has no initial location", template.name.name);
            return self.error(codes::NO_INITIAL_LOCATION, template.name.span, message);
        };
        let names: Vec<String> =
            template.locations.iter().map(|location| location.name.name.clone()).collect();
        for (number, location) in template.locations.iter().enumerate() {
            if names[..number].contains(&location.name.name) {
                let message = format!("the location `{}` is declared twice", location.name.name);
                self.error::<()>(codes::DUPLICATE_NAME, location.name.span, message);
            }
        }
        let location_type = self.network.model.types.add(None, TypeKind::Enum(names))?;
        let location = self.declare("location", location_type, template.name.span)?;
        self.start_location(&location, initial)?;
        self.assigned_parameters(template)?;
        for declaration in &template.declarations {
            self.declaration(declaration);
        }
        let number = self.network.processes.len() as u32;
        self.remember(number, template);
        let mut process = Process {
            name: name.name.clone(),
            params: self.frame.locals.iter().map(|local| local.ty).collect(),
            location,
            frame: Frame::default(),
            locations: Vec::new(),
            priority,
        };
        let open = self.frame.clone();
        for location in &template.locations {
            let mut rates = Vec::new();
            let rest = location.invariant.as_ref().and_then(|expr| self.rates(expr, &mut rates)).flatten();
            let invariant = rest.as_ref().and_then(|expr| self.condition(expr, true));
            process.locations.push(Location {
                name: location.name.name.clone(),
                invariant,
                rates,
                urgent: location.urgent,
                committed: location.committed,
                span: location.name.span,
            });
        }
        process.frame = std::mem::replace(&mut self.frame, open);
        self.network.processes.push(process);
        for edge in &template.edges {
            self.edge(number, template, edge);
        }
        Some(number)
    }

    /// Keeps what a query may ask a process for besides its locations and variables.
    fn remember(&mut self, process: u32, template: &Template) {
        let params = template.params.iter().map(|param| &param.variable.name.name);
        let declared = template.declarations.iter().flat_map(|declaration| match declaration {
            ast::Declaration::Variables(_, variables) => variables.iter().map(|v| &v.name.name).collect(),
            ast::Declaration::Function(function) => vec![&function.name.name],
            _ => Vec::new(),
        });
        for name in params.chain(declared) {
            if let Some(symbol) = self.scopes.find(name) {
                self.members.insert((process, name.clone()), symbol.clone());
            }
        }
    }

    /// All instances of a process begin in the same location.
    fn start_location(&mut self, location: &Place, initial: usize) -> Option<()> {
        let value = constant(initial as i64, location.ty, location.span);
        let stmt = Stmt { kind: StmtKind::Assign(location.clone(), value), span: location.span };
        self.at_start(location.span, |_, out| {
            out.push(stmt);
            Some(())
        })
    }

    fn condition(&mut self, expr: &ast::Expr, invariant: bool) -> Option<Expr> {
        self.pure = Some(if invariant { "an invariant" } else { "a guard" });
        self.timed = true;
        let condition = self.boolean(expr);
        self.timed = false;
        self.pure = None;
        let condition = condition?;
        self.zone(&condition, invariant)?;
        Some(condition)
    }

    fn edge(&mut self, process: u32, template: &Template, edge: &ast::Edge) -> Option<()> {
        // Nothing can be selected: it is never taken.
        if edge.selects.iter().any(|(_, ty)| self.is_empty_range(ty)) {
            return Some(());
        }
        let open = self.frame.clone();
        self.scopes.open();
        let lowered = self.edge_parts(process, template, edge);
        self.scopes.close();
        self.frame = open;
        let (rule, edge) = lowered?;
        self.network.model.rules.push(rule);
        self.network.edges.push(edge);
        Some(())
    }

    fn edge_parts(&mut self, process: u32, template: &Template, edge: &ast::Edge) -> Option<(Rule, Edge)> {
        let mut binders: Vec<Binder> = (0..)
            .zip(&self.frame.locals)
            .map(|(number, local)| {
                Binder::Each(Loop {
                    local: LocalId(number),
                    range: LoopRange::Type(local.ty),
                    span: edge.span,
                })
            })
            .collect();
        for (name, ty) in &edge.selects {
            let each = self.ty(ty)?;
            let each = self.finite(each, ty.span, "a selection ranges over")?;
            let local = self.frame.add(&name.name, each, 1, Storage::Value);
            self.add(name, Symbol::Local { local, fixed: true });
            binders.push(Binder::Each(Loop { local, range: LoopRange::Type(each), span: name.span }));
        }
        let guard = match &edge.guard {
            Some(guard) => Some(self.condition(guard, false)?),
            None => None,
        };
        let sync = match &edge.sync {
            Some((channel, sends)) => {
                self.pure = Some("a synchronisation");
                let place = self.place(channel);
                self.pure = None;
                let place = place?;
                let Some(kind) = self.channels.iter().position(|known| *known == place.ty) else {
                    let message = format!("a channel is expected here, this is {}", self.describe(place.ty));
                    return self.error(codes::WRONG_CLASS, channel.span, message);
                };
                let urgent = kind & 1 != 0;
                if let Some(guard) = guard.as_ref().filter(|guard| self.network.reads_clock(guard)) {
                    let span = guard.span;
                    if urgent {
                        let message = "clock guards are not allowed on urgent edges";
                        return self.error(codes::CLOCK_CONDITION, span, message);
                    }
                }
                Some(Sync { channel: place, sends: *sends })
            }
            None => None,
        };
        let mut body = Vec::new();
        let mut good = Some(());
        for update in &edge.updates {
            let read = self.effect(update, &mut body);
            good = good.and(read);
        }
        good?;
        let (from, to) =
            (&template.locations[edge.source].name.name, &template.locations[edge.target].name.name);
        let rule = Rule {
            name: format!("{}: {from} -> {to}", self.prefix.trim_end_matches('.')),
            named: true,
            binders,
            frame: self.frame.clone(),
            guard,
            body,
            fairness: None,
            span: edge.span,
        };
        Some((rule, Edge { process, source: edge.source as u32, target: edge.target as u32, sync }))
    }
}
