//! From syntax tree to typed model: names resolved, types checked, constants computed.
//!
//! One pass in the order of the text, since a name must be declared before it is used. A mistake is reported where it
//! is found and the part it spoils is left out (`None`), so that one mistake gives one error and the rest is still
//! checked. The files follow the syntax: `types`, `exprs`, `rings`, `places`, `calls`, `stmts`, `rules`,
//! `temporal`; `scope` has names,
//! `constants` what can be computed beforehand and `hints` what errors say beside the mistake.
//!
//! Where the two dialects differ in what they allow, the wider rule is taken: types are compared by shape, aliases and
//! constants may be any value, declarations come in any order.

mod calls;
mod constants;
mod exprs;
mod generators;
mod hints;
mod places;
mod rings;
mod rules;
mod scope;
mod stmts;
mod temporal;
mod types;

use burnside_model::code::{Expr, Frame, Function, LocalId, Place, TypeId, Types};
use burnside_model::{Model, Span};

use self::constants::Overrides;
use self::scope::{Root, Scopes, Space};
use super::ast;
use super::shape::Shape;
use crate::diag::{Code, Diagnostic, codes};
use crate::source::Source;

/// Reads a model. `overrides` are constants given from outside, as name and text of the value. The model is absent if
/// there is an error among the diagnostics.
pub fn load(source: &Source, overrides: &[(String, String)]) -> (Option<Model>, Vec<Diagnostic>) {
    load_shaped(source, overrides, &Shape::default())
}

/// Reads a model with other sizes of some scalarsets.
pub fn load_shaped(
    source: &Source,
    overrides: &[(String, String)],
    shape: &Shape,
) -> (Option<Model>, Vec<Diagnostic>) {
    let (tree, mut diagnostics) = super::parse(source);
    diagnostics.extend(source.claims().and_then(|from| misplaced(&tree, from)));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let mut lowerer = Lowerer::new(source, &tree, overrides);
        lowerer.shape = shape.clone();
        lowerer.model();
        diagnostics.append(&mut lowerer.diagnostics);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            return (Some(lowerer.model), diagnostics);
        }
    }
    (None, diagnostics)
}

/// What a file of claims may not say.
fn misplaced(tree: &ast::Model, from: u32) -> Option<Diagnostic> {
    let span = |item: &ast::Item| match item {
        ast::Item::Decl(decl) => Some(decl.span),
        ast::Item::Routine(routine) => Some(routine.span),
        ast::Item::Rule(rule) => Some(rule.span),
        ast::Item::Fairness(_, ty) => Some(ty.span),
        ast::Item::Symmetry(_) | ast::Item::Generator(_) | ast::Item::Hint(..) => None,
    };
    let span = tree.items.iter().filter_map(span).find(|span| span.start >= from)?;
    let message = "only claims of symmetry and hints may be in a file of their own";
    let help = "write `symmetry`, `generator` and `hint` declarations there, and the rest in the model";
    Some(Diagnostic::error(codes::NOT_A_CLAIM, span, message).help(help))
}

/// More errors than this are not reported.
const MAX_ERRORS: usize = 50;

/// What is being built.
pub(super) struct Lowerer<'s> {
    source: &'s Source,
    /// What is being read.
    tree: &'s ast::Model,
    pub(super) model: Model,
    /// Sizes of scalarsets that differ from those in the text.
    pub(super) shape: Shape,
    /// The types that were widened, and what they became.
    pub(super) widened: Vec<(TypeId, TypeId)>,
    /// The type of the element that is not among those that are looked at.
    pub(super) other: Option<TypeId>,
    diagnostics: Vec<Diagnostic>,
    overrides: Overrides,
    scopes: Scopes,
    /// The locals of the body at hand.
    frame: Frame,
    /// What each of those locals refers to.
    roots: Vec<Root>,
    /// What the body at hand returns.
    returns: Returns,
    /// What each routine writes, and the one at hand.
    effects: Vec<Effects>,
    current: Effects,
    /// Inside a condition that must not write: what it is called.
    pure: Option<&'static str>,
    /// What surrounds the rule at hand.
    binders: Vec<burnside_model::system::Binder>,
    /// Where rule priorities are written.
    priorities: Vec<Span>,
    /// Names that were reported as unknown: each is reported once.
    unknown: std::collections::HashSet<(Space, String)>,
    /// For conditions that are tried out.
    /// Used names of types: each must be unique when printed.
    type_names: std::collections::HashSet<String>,
}

/// What a routine writes besides its own variables.
#[derive(Clone, Default)]
struct Effects {
    /// Where it writes the state, if it does.
    state: Option<Span>,
    params: Vec<bool>,
}

/// What a body returns.
#[derive(Clone, Copy)]
enum Returns {
    /// Nothing: it is that of a rule or start state.
    NothingFromRule,
    /// Nothing: it is that of the procedure declared there.
    NothingFromProcedure(Span),
    /// A value of this type, which is written there.
    Value(TypeId, Span),
    /// A value whose type has an error, already reported.
    Broken,
}

/// The size of the frame at some time.
struct Mark {
    locals: usize,
    cells: u32,
}

/// A value: one cell, or the place of an aggregate.
enum Value {
    Simple(Expr),
    Aggregate(Place),
}

impl Value {
    fn ty(&self) -> TypeId {
        match self {
            Value::Simple(e) => e.ty,
            Value::Aggregate(p) => p.ty,
        }
    }

    fn span(&self) -> Span {
        match self {
            Value::Simple(e) => e.span,
            Value::Aggregate(p) => p.span,
        }
    }
}

impl<'s> Lowerer<'s> {
    fn new(source: &'s Source, tree: &'s ast::Model, overrides: &[(String, String)]) -> Self {
        Lowerer {
            source,
            tree,
            model: Model::default(),
            shape: Shape::default(),
            widened: Vec::new(),
            other: None,
            diagnostics: Vec::new(),
            overrides: Overrides::new(overrides),
            scopes: Scopes::default(),
            frame: Frame::default(),
            roots: Vec::new(),
            returns: Returns::NothingFromRule,
            effects: Vec::new(),
            current: Effects::default(),
            pure: None,
            binders: Vec::new(),
            priorities: Vec::new(),
            unknown: std::collections::HashSet::new(),
            type_names: std::collections::HashSet::from(["boolean".to_owned()]),
        }
    }

    fn model(&mut self) {
        for item in &self.tree.items {
            match item {
                ast::Item::Decl(decl) => self.declare(decl, true),
                ast::Item::Routine(routine) => self.routine(routine),
                ast::Item::Rule(rule) => self.rule(rule),
                ast::Item::Generator(generator) => self.generator(generator),
                ast::Item::Hint(name, condition, span) => self.exploration_hint(name, condition, *span),
                ast::Item::Fairness(strength, ty) => self.process_fairness(*strength, ty),
                ast::Item::Symmetry(names) => names.iter().for_each(|name| self.claim(name)),
            }
        }
        self.finish();
    }

    fn finish(&mut self) {
        self.name_scalarsets();
        self.check_process_fairness();
        for (name, constants) in self.overrides.unused() {
            let message = format!("the model has no constant `{name}`");
            let known = if constants.is_empty() {
                "it has no constants at all".to_owned()
            } else {
                format!("its constants are: {}", constants.join(", "))
            };
            // It stands at no place of the text.
            self.report(Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::default(), message).help(known));
        }
        if let Some(first) = self.priorities.first() {
            let message = match self.priorities.len() {
                1 => "the priority of this rule is ignored".to_owned(),
                2 => "the priorities of this rule and another are ignored".to_owned(),
                n => format!("the priorities of this rule and {} others are ignored", n - 1),
            };
            self.report(
                Diagnostic::warning(codes::PRIORITY_IGNORED, *first, message)
                    .help("every enabled rule may fire, whatever its priority"),
            );
        }
        if self.model.starts.is_empty() {
            let message = "the model has no start state";
            self.report(
                Diagnostic::warning(codes::NO_START_STATE, Span::default(), message)
                    .help("add a `startstate`; without one there is nothing to explore"),
            );
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error and gives nothing.
    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(code, span, message));
        None
    }

    fn text(&self, span: Span) -> String {
        let text = self.source.text();
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn describe(&self, ty: TypeId) -> String {
        self.model.types.describe(ty)
    }

    fn types(&self) -> &Types {
        &self.model.types
    }

    fn function(&self, index: u32) -> &Function {
        &self.model.functions[index as usize]
    }

    /// Adds a local of the body at hand.
    fn add_local(
        &mut self,
        name: &str,
        ty: TypeId,
        storage: burnside_model::code::Storage,
        root: Root,
    ) -> LocalId {
        let cells = self.model.types[ty].cells;
        self.roots.push(root);
        self.frame.add(name, ty, cells, storage)
    }

    /// The size of the frame, to come back to.
    fn mark(&self) -> Mark {
        Mark { locals: self.frame.locals.len(), cells: self.frame.cells }
    }

    /// Forgets the locals added since the mark was made.
    fn reset(&mut self, mark: &Mark) {
        self.frame.locals.truncate(mark.locals);
        self.roots.truncate(mark.locals);
        self.frame.cells = mark.cells;
    }

    /// Takes the finished frame.
    fn take_frame(&mut self) -> Frame {
        self.roots.clear();
        std::mem::take(&mut self.frame)
    }

    /// Runs `f` in a scope of its own.
    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push();
        let result = f(self);
        self.scopes.pop();
        result
    }

    /// A condition that may call functions which change the state, as CMurphi allows: the condition, and whether they
    /// do, which is worth a warning. `effect` says what becomes of the change.
    fn effectful(&mut self, what: &str, effect: &str, condition: &ast::Expr) -> (Option<Expr>, bool) {
        let lowered = self.boolean(condition);
        let Some(written) = self.current.state else { return (lowered, false) };
        let message = format!("{what} changes the state");
        let warning = Diagnostic::warning(codes::CONDITION_WRITES, condition.span, message);
        self.report(warning.also(written, "it is changed here").help(effect));
        (lowered, true)
    }

    /// Runs `f` where conditions must not write.
    fn purely<T>(&mut self, what: &'static str, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.pure.replace(what);
        let result = f(self);
        self.pure = outer;
        result
    }
}
