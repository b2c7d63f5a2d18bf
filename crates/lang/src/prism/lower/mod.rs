//! From trees to the typed model: names are resolved, constants evaluated, formulas expanded, modules renamed and composed.
//!
//! Model and properties become one source, so that a mistake in a label of the model that a property uses is shown where it is.

mod constants;
mod exprs;
mod modules;
mod properties;
mod system;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use burnside_model::Span;
use burnside_model::chance::{Command, Initial, Kind, Model, Property, Reward, Value, Variable};

use super::ast;
use super::parser;
use crate::diag::{Code, Diagnostic, codes};
use crate::source::Source;
use crate::tokens::Read;

/// A model and its properties.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The text of the model and of all properties: the places of both are in it.
    pub source: Source,
    /// The model, or the mistakes in it.
    pub model: Result<Model, Vec<Diagnostic>>,
    /// Its properties; one that is wrong does not hinder the others.
    pub properties: Vec<Result<Property, Missing>>,
}

/// A property that cannot be checked.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Its name, or its number.
    pub name: String,
    pub text: String,
    pub diagnostic: Box<Diagnostic>,
}

/// What names mean.
struct Lower<'a> {
    kind: Kind,
    constants: HashMap<&'a str, &'a ast::Constant>,
    given: &'a [(String, String)],
    /// Values of constants; none while one is computed.
    values: RefCell<HashMap<String, Option<Value>>>,
    formulas: HashMap<&'a str, &'a ast::Expr>,
    /// Formulas and properties that are being expanded.
    expanding: RefCell<Vec<String>>,
    labels: HashMap<&'a str, &'a ast::Expr>,
    properties: HashMap<&'a str, &'a ast::Expr>,
    names: HashMap<String, u32>,
    /// Kind, variables and rewards; the rest is filled in last.
    model: Model,
}

/// Reads a model and its properties, with constants given from outside.
pub fn load(model: &Source, properties: &[&Source], given: &[(String, String)]) -> Loaded {
    let mut text = model.text().to_owned();
    let mut parts = Vec::new();
    for part in properties {
        text.push_str(&format!("\n#line 1 \"{}\"\n", part.name().replace('"', "'")));
        parts.push((text.len(), text.len() + part.text().len()));
        text.push_str(part.text());
    }
    let source = Source::new(model.name(), text);
    let failed = |diagnostics: Vec<Diagnostic>| Loaded {
        source: source.clone(),
        model: Err(diagnostics),
        properties: Vec::new(),
    };
    let tree = match parser::model(model.text()) {
        Ok(tree) => tree,
        Err(diagnostic) => return failed(vec![*diagnostic]),
    };
    let mut asked = Vec::new();
    for (start, end) in parts {
        match parser::properties(source.text().get(start..end).unwrap_or(""), start) {
            Ok(found) => asked.push(found),
            Err(diagnostic) => return failed(vec![*diagnostic]),
        }
    }
    match lower(&tree, &asked, given, &source) {
        Ok((model, properties)) => Loaded { source, model: Ok(model), properties },
        Err(diagnostic) => failed(vec![*diagnostic]),
    }
}

type Lowered = (Model, Vec<Result<Property, Missing>>);

fn lower(
    tree: &ast::Model,
    asked: &[ast::Properties],
    given: &[(String, String)],
    source: &Source,
) -> Read<Lowered> {
    let kind = tree.kind.unwrap_or(Kind::Mdp);
    let mut lower = Lower {
        kind,
        constants: HashMap::new(),
        given,
        values: RefCell::default(),
        formulas: HashMap::new(),
        expanding: RefCell::default(),
        labels: HashMap::new(),
        properties: HashMap::new(),
        names: HashMap::new(),
        model: Model {
            kind,
            variables: Vec::new(),
            modules: Vec::new(),
            actions: Vec::new(),
            commands: Vec::new(),
            synchronisations: Vec::new(),
            initial: Initial::State(Vec::new()),
            rewards: Vec::new(),
            labels: Vec::new(),
        },
    };
    lower.declare(tree, asked)?;
    let modules = lower.modules(tree)?;
    lower.synchronise(tree, &modules)?;
    lower.initial(tree)?;
    lower.rewards(tree)?;
    for (name, value) in &tree.labels {
        // A label may use constants that have no value; it is then unknown until a property asks for it.
        if let Ok(value) = lower.condition(value, &[]) {
            lower.model.labels.push((name.text.clone(), value));
        }
    }
    let properties = lower.all_properties(asked, source);
    Ok((lower.model, properties))
}

impl<'a> Lower<'a> {
    fn declare(&mut self, tree: &'a ast::Model, asked: &'a [ast::Properties]) -> Read<()> {
        let constants = tree.constants.iter().chain(asked.iter().flat_map(|file| &file.constants));
        for constant in constants {
            if let Some(first) = self.constants.insert(&constant.name.text, constant) {
                return Err(twice("constant", &constant.name, first.name.span));
            }
        }
        for (name, value) in tree.formulas.iter().chain(asked.iter().flat_map(|file| &file.formulas)) {
            if let Some(first) = self.formulas.insert(&name.text, value) {
                return Err(twice("formula", name, first.span));
            }
            if let Some(constant) = self.constants.get(name.text.as_str()) {
                return Err(twice("formula", name, constant.name.span));
            }
        }
        for (name, value) in tree.labels.iter().chain(asked.iter().flat_map(|file| &file.labels)) {
            if matches!(name.text.as_str(), "init" | "deadlock") {
                let message = format!("the label \"{}\" has a meaning of its own", name.text);
                return Err(error(codes::KEYWORD_AS_NAME, name.span, message));
            }
            if let Some(first) = self.labels.insert(&name.text, value) {
                return Err(twice("label", name, first.span));
            }
        }
        for property in asked.iter().flat_map(|file| &file.properties) {
            if let (Some(name), Ok(formula)) = (&property.name, &property.formula) {
                self.properties.entry(&name.text).or_insert(formula);
            }
        }
        for (name, _) in self.given {
            if !self.constants.contains_key(name.as_str()) {
                let message = format!("there is no constant `{name}`");
                let mut known: Vec<_> = self.constants.keys().copied().collect();
                known.sort_unstable();
                let found = Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::default(), message);
                return Err(Box::new(if known.is_empty() {
                    found.help("the model has no constants")
                } else {
                    found.help(format!("the constants are {}", known.join(", ")))
                }));
            }
        }
        Ok(())
    }

    fn initial(&mut self, tree: &'a ast::Model) -> Read<()> {
        if let Some(init) = &tree.init {
            self.model.initial = Initial::Where(self.condition(init, &[])?);
        }
        Ok(())
    }

    fn rewards(&mut self, tree: &'a ast::Model) -> Read<()> {
        for reward in &tree.rewards {
            let mut items = Vec::new();
            for item in &reward.items {
                let action = match &item.action {
                    None => None,
                    Some(None) => Some(None),
                    Some(Some(name)) => {
                        let known = self.model.actions.iter().position(|action| *action == name.text);
                        // An action that no step has: nothing is ever earned.
                        let Some(known) = known else { continue };
                        Some(Some(known as u32))
                    }
                };
                items.push(burnside_model::chance::RewardItem {
                    action,
                    guard: self.condition(&item.guard, &[])?,
                    value: self.number(&item.value, &[])?,
                    span: item.span,
                });
            }
            self.model.rewards.push(Reward { name: reward.name.text.clone(), items });
        }
        Ok(())
    }

    fn variable(&mut self, name: String, variable: Variable) -> u32 {
        let id = self.model.variables.len() as u32;
        self.model.variables.push(variable);
        self.names.insert(name, id);
        id
    }
}

/// A module after renaming: its commands with their actions.
struct Instance {
    commands: Vec<(Option<String>, Command)>,
    alphabet: BTreeSet<String>,
}

fn error(code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span, message))
}

fn twice(what: &str, name: &ast::Name, first: Span) -> Box<Diagnostic> {
    let message = format!("the {what} `{}` is declared twice", name.text);
    Box::new(Diagnostic::error(codes::DUPLICATE_NAME, name.span, message).also(first, "first here"))
}
