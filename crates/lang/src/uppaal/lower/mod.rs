//! From syntax tree to a network: names resolved, types checked, templates instantiated.
//!
//! One pass in the order of the text, as a name must be declared before it is used. A template is lowered once for each
//! process that the system line names: its parameters that are left open are the first locals of everything that
//! belongs to the process, and the others stand for what they were given. Variables and the location of a process are
//! arrays over its open parameters.

mod assigned;
mod declarations;
mod exprs;
mod functions;
mod initial;
mod narrow;
mod places;
mod processes;
mod queries;
mod rates;
mod reals;
mod rings;
mod scope;
mod stmts;
mod timed;
mod types;

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::code::{
    Block, DomainKind, Expr, ExprKind, Frame, Interpreter, Semantics, Stmt, StmtKind, TypeId, TypeKind, Types,
};
use burnside_model::network::{Network, RefusedQuery};
use burnside_model::system::Rule;

use self::functions::Effects;
use self::scope::{Scopes, Symbol};
use super::ast::{self, Item};
use crate::diag::{Code, Diagnostic, codes};
use crate::source::Source;

/// More errors than this are not reported.
const MAX_ERRORS: usize = 50;
/// Clocks hold less than this.
pub(super) const MAX_CLOCK: i64 = 1 << 29;

/// Reads a model. `overrides` are constants given from outside, as name and text of the value. The network is absent if
/// there is an error among the diagnostics. A query that cannot be answered is one of [`Network::refused`], unless none
/// can be answered: then their mistakes are among the diagnostics.
pub fn load(source: &Source, overrides: &[(String, String)]) -> (Option<Network>, Vec<Diagnostic>) {
    let (document, mut diagnostics) = super::parse(source, true);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let mut lowerer = Lowerer::with_ranges(source, overrides, &document, &document.queries);
    let found = std::mem::take(&mut lowerer.diagnostics);
    diagnostics.extend(found.into_iter().map(|d| super::placed(d, &document, source)));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let refused = std::mem::take(&mut lowerer.refused);
    let refused = refused.into_iter().map(|(text, at, d)| (text, at, super::placed(d, &document, source)));
    match with_refused(lowerer.network, refused.collect()) {
        Ok(network) => (Some(network), diagnostics),
        Err(mistakes) => {
            diagnostics.extend(mistakes);
            (None, diagnostics)
        }
    }
}

/// Reads a model and, in their place, the queries of a separate file. The diagnostics are those of the model and those
/// of the queries; there are errors among the latter only if no query can be answered.
pub fn load_with_queries(
    source: &Source,
    queries: &Source,
    overrides: &[(String, String)],
) -> (Option<Network>, Vec<Diagnostic>, Vec<Diagnostic>) {
    let (document, mut diagnostics) = super::parse(source, false);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics, Vec::new());
    }
    let mut lowerer = Lowerer::with_ranges(source, overrides, &document, &super::parse_queries(queries));
    let found = std::mem::take(&mut lowerer.diagnostics);
    diagnostics.extend(found.into_iter().map(|d| super::placed(d, &document, source)));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics, Vec::new());
    }
    let asked = Vec::new();
    match with_refused(lowerer.network, lowerer.refused) {
        Ok(network) => (Some(network), diagnostics, asked),
        Err(mistakes) => (None, diagnostics, mistakes),
    }
}

/// A query that cannot be answered: its text, its position among all, and the mistake.
type Mistaken = (String, usize, Diagnostic);

/// The network with the queries that cannot be answered; their mistakes if no other query is left.
fn with_refused(mut network: Network, refused: Vec<Mistaken>) -> Result<Network, Vec<Diagnostic>> {
    if network.queries.is_empty() && !refused.is_empty() {
        return Err(refused.into_iter().map(|(_, _, mistake)| mistake).collect());
    }
    network.refused = refused
        .into_iter()
        .map(|(text, position, mistake)| RefusedQuery {
            text,
            position,
            span: mistake.primary.0,
            code: mistake.code.0,
            reason: mistake.message,
            help: mistake.help,
        })
        .collect();
    Ok(network)
}

/// What is being built.
struct Lowerer {
    network: Network,
    diagnostics: Vec<Diagnostic>,
    /// The queries that cannot be answered.
    refused: Vec<Mistaken>,
    overrides: Vec<(String, String, bool)>,
    scopes: Scopes,
    ranges: HashMap<(i64, i64), TypeId>,
    /// The ranges of variables of type `int` that take few values, by full name.
    value_ranges: HashMap<String, (i64, i64)>,
    clock: TypeId,
    difference: TypeId,
    /// By urgent and broadcast.
    channels: [TypeId; 4],
    /// The locals of the body at hand.
    frame: Frame,
    /// Where the side effects of the expression at hand go.
    before: Vec<Stmt>,
    /// Inside a condition that must not write: what it is called.
    pure: Option<&'static str>,
    /// Whether clocks may be compared here: in guards, invariants and queries.
    timed: bool,
    /// What the function at hand returns; outside of functions, nothing.
    returns: Option<Option<TypeId>>,
    /// What each function writes, and the one at hand.
    effects: Vec<Effects>,
    current: Effects,
    /// The start state's body.
    start: Block,
    start_frame: Frame,
    /// How many of the first locals are the parameters of the process at hand.
    params: u32,
    /// What stands before the name of a variable of the process at hand.
    prefix: String,
    /// Where the comment `// ring` is.
    rings: Vec<(u32, u32)>,
    /// The function that checks how far a number is shifted, once there is one.
    shift: Option<u32>,
    /// What each process has besides locations and variables: parameters, constants, functions.
    members: HashMap<(u32, String), Symbol>,
}

impl Lowerer {
    fn new(source: &Source, overrides: &[(String, String)]) -> Self {
        let mut network = Network::default();
        let types = &mut network.model.types;
        let mut add = |name: &str, lo, hi| {
            types.add(Some(name.to_owned()), TypeKind::Range(lo, hi)).expect("a type of one cell")
        };
        let clock = add("clock", 0, MAX_CLOCK);
        let difference = add("difference of clocks", -MAX_CLOCK, MAX_CLOCK);
        let channels =
            ["chan", "urgent chan", "broadcast chan", "urgent broadcast chan"].map(|name| add(name, 0, 0));
        network.clock = Some(clock);
        Lowerer {
            network,
            diagnostics: Vec::new(),
            refused: Vec::new(),
            overrides: overrides.iter().map(|(name, value)| (name.clone(), value.clone(), false)).collect(),
            scopes: Scopes::new(),
            ranges: HashMap::new(),
            value_ranges: HashMap::new(),
            clock,
            difference,
            channels,
            frame: Frame::default(),
            before: Vec::new(),
            pure: None,
            timed: false,
            returns: None,
            effects: Vec::new(),
            current: Effects::default(),
            start: Block::new(),
            start_frame: Frame::default(),
            params: 0,
            prefix: String::new(),
            rings: rings::annotations(source.text()),
            shift: None,
            members: HashMap::new(),
        }
    }

    /// Lowers a model and its queries; then, if some variables of type `int` take few values, once more with these ranges.
    fn with_ranges(
        source: &Source,
        overrides: &[(String, String)],
        document: &ast::Document,
        queries: &[ast::Query],
    ) -> Lowerer {
        let lower = |ranges: HashMap<String, (i64, i64)>| {
            let mut lowerer = Lowerer { value_ranges: ranges, ..Lowerer::new(source, overrides) };
            lowerer.document(document);
            queries.iter().for_each(|query| lowerer.query(query));
            lowerer
        };
        let mut first = lower(HashMap::new());
        if first.diagnostics.iter().any(Diagnostic::is_error) {
            return first;
        }
        let int = first.int();
        let ranges = narrow::value_ranges(&first.network, int);
        if ranges.is_empty() {
            return first;
        }
        let second = lower(ranges);
        // Where types must be equal, a query may not be one any more.
        let same = second.diagnostics.len() == first.diagnostics.len()
            && second.refused.len() == first.refused.len();
        if same { second } else { first }
    }

    fn document(&mut self, document: &ast::Document) {
        for item in &document.items {
            match item {
                Item::Declaration(declaration) => {
                    self.declaration(declaration);
                }
                Item::Template(template) => self.template(template),
                Item::Instantiation(instantiation) => self.instantiation(instantiation),
            }
        }
        for (name, _, used) in self.overrides.clone() {
            if !used {
                let message = format!("the model has no global constant `{name}`");
                self.error::<()>(codes::UNKNOWN_CONSTANT, Span::default(), message);
            }
        }
        self.system(&document.system);
        if let Some(first) = document.uncontrollable.first() {
            let message = match document.uncontrollable.len() {
                1 => "this edge is not controllable: it is treated like any other edge".to_owned(),
                count => format!(
                    "{count} edges, as this one, are not controllable: they are treated like any other edge"
                ),
            };
            self.report::<()>(Diagnostic::note(codes::EDGE_OF_THE_OTHER, *first, message));
        }
        self.finish();
    }

    /// Puts the start state into the model, and gives nameless domains a name. The start stays known: queries may read
    /// the constants that it sets.
    fn finish(&mut self) {
        let start = Rule {
            name: "start".to_owned(),
            named: true,
            binders: Vec::new(),
            frame: self.start_frame.clone(),
            guard: None,
            body: self.start.clone(),
            fairness: None,
            span: Span::default(),
        };
        self.network.model.starts.push(start);
        for (number, domain) in self.network.model.types.domains.iter_mut().enumerate() {
            if domain.name.is_empty() {
                let kind = if domain.kind == DomainKind::Ring { "ring" } else { "scalar" };
                domain.name = format!("{kind}{number}");
            }
        }
    }

    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(code, span, message))
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        None
    }

    fn types(&self) -> &Types {
        &self.network.model.types
    }

    /// The value of an expression that must be known before the model runs.
    fn constant(&mut self, expr: &ast::Expr) -> Option<i64> {
        // The locals are there to be found, though none has a value yet.
        let frame = self.frame.clone();
        let pure = self.pure.replace("a constant");
        let lowered = self.value(expr);
        self.pure = pure;
        let used = std::mem::replace(&mut self.frame, frame);
        let value = self.computed(&used, &lowered?);
        if value.is_none() {
            return self.error(codes::NOT_CONSTANT, expr.span, "this must be known before the model runs");
        }
        value
    }

    /// What an expression is before the model runs, if nothing in it changes.
    fn computed(&self, frame: &Frame, expr: &Expr) -> Option<i64> {
        if let ExprKind::Const(value) = expr.kind {
            return Some(value);
        }
        if !self.is_constant(expr) {
            return None;
        }
        let mut interpreter = Interpreter::new(&self.network.model, Semantics::default());
        // Constant arrays are variables that are set at the start; the rest of the start may not be ready yet.
        interpreter.enter(&self.start_frame);
        for stmt in &self.start {
            if matches!(&stmt.kind, StmtKind::Assign(place, _) | StmtKind::Copy(place, _) if self.is_fixed(place))
            {
                interpreter.run(&self.start_frame, &vec![stmt.clone()]).ok()?;
            }
        }
        interpreter.enter(frame);
        interpreter.eval(frame, expr).ok()
    }
}
