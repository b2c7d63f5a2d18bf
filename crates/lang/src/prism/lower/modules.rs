//! Modules: their variables and commands, and copies of them with names replaced.

use std::collections::{BTreeSet, HashMap};

use burnside_model::Span;
use burnside_model::chance::{Branch, Command, Expr, Initial, Type, Variable};

use super::super::ast::{self, Body, Domain};
use super::{Instance, Lower, error, twice};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// The least and greatest value of a variable of type `int`.
const UNBOUNDED: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// A module's own text, and the renamings that lead to it, the first one first.
struct Resolved<'a> {
    variables: &'a [ast::Variable],
    commands: &'a [ast::Command],
    maps: Vec<HashMap<String, String>>,
    /// Where the last renaming is.
    span: Option<Span>,
}

impl<'a> Resolved<'a> {
    fn rename(&self, name: &str) -> String {
        self.maps.iter().fold(name.to_owned(), |name, map| map.get(&name).cloned().unwrap_or(name))
    }
}

impl<'a> Lower<'a> {
    /// All modules; declares all variables.
    pub(super) fn modules(&mut self, tree: &'a ast::Model) -> Read<Vec<Instance>> {
        let mut state = Vec::new();
        let mut spans: HashMap<String, Span> = HashMap::new();
        for global in &tree.globals {
            self.declare_variable(global, &global.name.text.clone(), &[], None, &mut state, &mut spans)?;
        }
        let globals = self.model.variables.len() as u32;
        let mut resolved = Vec::new();
        for (index, module) in tree.modules.iter().enumerate() {
            if let Some(first) = tree.modules[..index].iter().find(|m| m.name.text == module.name.text) {
                return Err(twice("module", &module.name, first.name.span));
            }
            resolved.push(self.resolve(tree, module, 0)?);
            self.model.modules.push(module.name.text.clone());
        }
        let mut owners = Vec::new();
        for module in &resolved {
            let first = self.model.variables.len() as u32;
            for variable in module.variables {
                let name = module.rename(&variable.name.text);
                if let (Some(span), Some(_)) = (module.span, spans.get(&name)) {
                    let message = format!("the variable `{name}` of the renamed module would be there twice");
                    let found = Diagnostic::error(codes::BAD_RENAMING, span, message);
                    return Err(Box::new(found.help(format!("rename `{}` as well", variable.name.text))));
                }
                let maps = module.maps.clone();
                self.declare_variable(variable, &name, &maps, module.span, &mut state, &mut spans)?;
            }
            owners.push(first..self.model.variables.len() as u32);
        }
        self.model.initial = Initial::State(state);
        let mut used: HashMap<String, usize> = HashMap::new();
        for module in &resolved {
            let actions: BTreeSet<String> = module
                .commands
                .iter()
                .filter_map(|c| Some(module.rename(&c.action.as_ref()?.text)))
                .collect();
            actions.into_iter().for_each(|action| *used.entry(action).or_default() += 1);
        }
        let mut instances = Vec::new();
        for (index, module) in resolved.iter().enumerate() {
            let mut instance = Instance { commands: Vec::new(), alphabet: BTreeSet::new() };
            for command in module.commands {
                let action = command.action.as_ref().map(|name| module.rename(&name.text));
                let shared = action.as_ref().is_some_and(|action| used[action] > 1);
                let may = |variable: u32| owners[index].contains(&variable) || variable < globals && !shared;
                let lowered = self.command(command, module, index as u32, &may, globals)?;
                instance.alphabet.extend(action.clone());
                instance.commands.push((action, lowered));
            }
            instances.push(instance);
        }
        Ok(instances)
    }

    fn resolve(&self, tree: &'a ast::Model, module: &'a ast::Module, depth: usize) -> Read<Resolved<'a>> {
        match &module.body {
            Body::Own(variables, commands) => {
                Ok(Resolved { variables, commands, maps: Vec::new(), span: None })
            }
            Body::Renamed(of, pairs) => {
                let Some(base) = tree.modules.iter().find(|m| m.name.text == of.text) else {
                    let message = format!("there is no module `{}`", of.text);
                    return Err(error(codes::UNKNOWN_NAME, of.span, message));
                };
                if depth > tree.modules.len() {
                    let message = format!("module `{}` is a renaming of itself", module.name.text);
                    return Err(error(codes::CYCLIC_DEFINITION, module.name.span, message));
                }
                let mut resolved = self.resolve(tree, base, depth + 1)?;
                let mut map = HashMap::new();
                for (from, to) in pairs {
                    if map.insert(from.text.clone(), to.text.clone()).is_some() {
                        let message = format!("`{}` is renamed twice", from.text);
                        return Err(error(codes::BAD_RENAMING, from.span, message));
                    }
                }
                resolved.maps.push(map);
                resolved.span = Some(module.name.span);
                Ok(resolved)
            }
        }
    }

    fn declare_variable(
        &mut self,
        variable: &ast::Variable,
        name: &str,
        maps: &[HashMap<String, String>],
        renamed: Option<Span>,
        state: &mut Vec<i64>,
        spans: &mut HashMap<String, Span>,
    ) -> Read<()> {
        let span = renamed.unwrap_or(variable.name.span);
        let at = ast::Name { text: name.to_owned(), span };
        if let Some(first) = spans.insert(name.to_owned(), span) {
            return Err(twice("variable", &at, first));
        }
        if let Some(constant) = self.constants.get(name) {
            return Err(twice("variable", &at, constant.name.span));
        }
        if let Some(formula) = self.formulas.get(name) {
            return Err(twice("variable", &at, formula.span));
        }
        let (low, high, boolean) = match &variable.domain {
            Domain::Bool => (0, 1, true),
            Domain::Int => (UNBOUNDED.0, UNBOUNDED.1, false),
            Domain::Range(low, high) => {
                let (from, to) = (self.bound(low, maps)?, self.bound(high, maps)?);
                if to < from {
                    let span = Span { start: low.span.start, end: high.span.end };
                    let message = format!("`{name}` has no values: the range {from}..{to} is empty");
                    return Err(error(codes::EMPTY_RANGE, span, message));
                }
                (from, to, false)
            }
        };
        let init = match &variable.init {
            None if matches!(variable.domain, Domain::Int) => 0,
            None => low,
            Some(init) => match (self.expr(init, maps)?, boolean) {
                (Expr::Int(i), false) => i,
                (Expr::Bool(b), true) => i64::from(b),
                (Expr::Int(_) | Expr::Bool(_) | Expr::Real(_), _) => {
                    let message = format!("`{name}` cannot begin with a value of another type");
                    return Err(error(codes::ASSIGNMENT_TYPE, init.span, message));
                }
                (other, _) => return Err(self.not_constant(&other, init.span)),
            },
        };
        if init < low || init > high {
            let at = variable.init.as_ref().map_or(variable.name.span, |init| init.span);
            let message = format!("`{name}` cannot begin with {init}: its range is {low}..{high}");
            return Err(error(codes::OUT_OF_RANGE, at, message));
        }
        state.push(init);
        self.variable(name.to_owned(), Variable { name: name.to_owned(), low, high, boolean, span });
        Ok(())
    }

    fn bound(&self, tree: &ast::Expr, maps: &[HashMap<String, String>]) -> Read<i64> {
        match self.expr(tree, maps)? {
            Expr::Int(i) => Ok(i),
            Expr::Real(_) | Expr::Bool(_) => {
                let found = error(codes::NOT_INTEGER, tree.span, "the ends of a range are whole numbers");
                Err(Box::new(found.help("`floor`, `ceil` and `round` make one of a double")))
            }
            other => Err(self.not_constant(&other, tree.span)),
        }
    }

    fn command(
        &self,
        tree: &ast::Command,
        module: &Resolved,
        index: u32,
        may: &impl Fn(u32) -> bool,
        globals: u32,
    ) -> Read<Command> {
        let maps = &module.maps;
        let guard = self.condition(&tree.guard, maps)?;
        let mut branches = Vec::new();
        for branch in &tree.branches {
            let weight = match &branch.weight {
                None => Expr::Int(1),
                Some(weight) => self.number(weight, maps)?,
            };
            let mut updates: Vec<(u32, Expr)> = Vec::new();
            for (name, value) in &branch.updates {
                let renamed = module.rename(&name.text);
                let Some(variable) = self.names.get(&renamed).copied() else {
                    let message = format!("there is no variable `{renamed}`");
                    return Err(error(codes::UNKNOWN_NAME, name.span, message));
                };
                if !may(variable) {
                    let message = if variable < globals {
                        format!("`{renamed}` is global; a command with a shared action cannot change it")
                    } else {
                        format!("`{renamed}` belongs to another module, which alone may change it")
                    };
                    return Err(error(codes::FOREIGN_VARIABLE, name.span, message));
                }
                if updates.iter().any(|(known, _)| *known == variable) {
                    let message = format!("`{renamed}` is changed twice");
                    return Err(error(codes::DUPLICATE_NAME, name.span, message));
                }
                let lowered = self.expr(value, maps)?;
                let wanted = Expr::Var(variable).kind(&self.model);
                let found = lowered.kind(&self.model);
                if wanted != found {
                    let message = format!(
                        "`{renamed}` is of type {}, its new value of type {}",
                        wanted.word(),
                        found.word()
                    );
                    let found = error(codes::ASSIGNMENT_TYPE, value.span, message);
                    return Err(if wanted == Type::Int {
                        Box::new(found.help("`floor`, `ceil` and `round` make a whole number of a double"))
                    } else {
                        found
                    });
                }
                updates.push((variable, lowered));
            }
            branches.push(Branch { weight, updates, span: branch.span });
        }
        Ok(Command { guard, branches, span: tree.span, module: index })
    }
}
