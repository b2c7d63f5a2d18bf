//! Models of rules, as Murphi and Promela have them: steps by the reference interpreter, conditions read by the front end.
//!
//! A condition is read by appending it to the model as a property and reading the whole once more. So it is written in the
//! language of the model, with all its names, and mistakes are told in the words of its compiler. A term that is no
//! condition is read as both sides of an equation.

use std::ops::ControlFlow;

use burnside_lang::Language;
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, Expr, ExprKind, Frame, LocalId, TypeKind};
use burnside_model::system::{
    Formula, FormulaKind, Machine, Outcome as Came, Property, PropertyKind, Step, System, TimeUp,
};
use burnside_model::{Deadline, DeadlockMode, Model};
use burnside_report::{Place, Value, trace};
use burnside_symmetry::{Canonical, Canonicaliser};

use super::world::{Facts, Move, Orbit, STOPPED, StateId, States, Status, Told, View, World};
use crate::runs::Runs;
use crate::why::Explainer;
use crate::{Failure, Options, group};

/// The name of the property that a condition is read as.
const CONDITION: &str = "explorer_condition";

/// A model of rules to walk.
pub(crate) struct Typed<'m> {
    source: &'m Source,
    language: Language,
    options: &'m Options,
    model: &'m Model,
    machine: Machine<'m>,
    explainer: Explainer<'m>,
    symmetry: Option<Symmetry<'m>>,
    states: States<Vec<Cell>>,
    terms: Vec<Term>,
    deadline: Deadline,
}

/// A rule or start state, the values of its parameters, and the state that it leads to or what goes wrong.
type Fired = (u32, Vec<Cell>, Result<Vec<Cell>, String>);

/// The symmetry of a model.
struct Symmetry<'m> {
    runs: &'m Runs,
    canonicaliser: Canonicaliser,
}

/// A condition or term with the model that it was read in.
struct Term {
    source: Source,
    model: Model,
    frame: Frame,
    /// The values of variables that stand for elements.
    bound: Vec<(LocalId, Cell)>,
    expr: Expr,
    /// Whether it is a condition.
    condition: bool,
}

impl<'m> Typed<'m> {
    /// A model, under the symmetry of its rules.
    pub fn new(
        source: &'m Source,
        language: Language,
        options: &'m Options,
        model: &'m Model,
        runs: &'m Runs,
    ) -> Self {
        let planned = &runs.planned[0];
        let symmetric = !planned.plan.symmetry().is_empty() && planned.plan.partial.is_none();
        let symmetry = symmetric.then(|| Symmetry {
            runs,
            canonicaliser: Canonicaliser::new(planned.plan.action(&planned.model)),
        });
        Typed {
            source,
            language,
            options,
            model,
            machine: Machine::new(model, options.semantics),
            explainer: Explainer::new(model, source, options.semantics),
            symmetry,
            states: States::new(),
            terms: Vec::new(),
            deadline: Deadline::NEVER,
        }
    }

    fn state(&self, number: StateId) -> Told<Vec<Cell>> {
        self.states.get(number).cloned().ok_or_else(|| format!("there is no state {number}"))
    }

    fn place(&self, span: burnside_model::Span) -> Place {
        let location = self.source.location(span.start);
        Place { file: location.file.to_owned(), line: location.line, column: location.column }
    }

    /// The steps from a state, or into the start states.
    fn steps(&mut self, from: Option<&[Cell]>) -> Told<Vec<Move>> {
        let mut found: Vec<Fired> = Vec::new();
        let mut sink = |step: Step<'_>| {
            let to = match step.outcome {
                Came::State(state) => Ok(state.to_vec()),
                Came::Fault(fault) | Came::GuardFault(fault) => Err(fault.message),
                Came::Dropped => return ControlFlow::Continue(()),
            };
            found.push((step.rule, step.args.to_vec(), to));
            ControlFlow::Continue(())
        };
        let ran = match from {
            Some(state) => self.machine.successors(state, &mut sink),
            None => self.machine.initial(&mut sink),
        };
        ran.map_err(|TimeUp| STOPPED.to_owned())?;
        // What the model prints is not shown.
        self.machine.side_effects();
        let promela = self.language == Language::Promela;
        let moves = found.into_iter().map(|(rule, args, to)| {
            let rules = if from.is_some() { &self.model.rules } else { &self.model.starts };
            let rule = &rules[rule as usize];
            let parameters = trace::parameters(&self.model.types, &rule.binders, &rule.frame, &args);
            // A step of Promela is named after its process: `user(3): x = 1`.
            let named = rule.name.split_once(": ").filter(|_| promela).map(|(process, _)| process.to_owned());
            let process = named.or_else(|| parameters.first().map(|(_, value)| value.to_string()));
            Move {
                rule: rule.name.clone(),
                process: process.filter(|_| from.is_some()),
                parameters,
                place: Some(self.place(rule.span)),
                note: None,
                chance: None,
                to: to.map(|state| self.states.number(state)),
            }
        });
        Ok(moves.collect())
    }

    /// The model with a property that is this condition.
    fn with_condition(&self, condition: &str) -> Result<(Source, Model, Property), Failure> {
        let property = match self.language {
            Language::Promela => format!("ltl {CONDITION} {{ {condition} }}"),
            _ => format!("invariant \"{CONDITION}\" {condition};"),
        };
        let source = Source::new(self.source.name(), format!("{}\n{property}\n", self.source.text()));
        let (subject, _) = crate::load(&source, self.options)?;
        let model = subject.model;
        let same = model.cells == self.model.cells && model.rules.len() == self.model.rules.len();
        let last = model.properties.iter().find(|property| property.name == CONDITION).cloned();
        match last.filter(|_| same && model.properties.len() == self.model.properties.len() + 1) {
            Some(property) => Ok((source, model, property)),
            None => Err(Failure::Refused("this is not one condition".to_owned())),
        }
    }

    /// Names of elements in a text, which the language has no words for: `Proc_1` of a scalarset, as states show it. Each
    /// with its type and value.
    fn elements(&self, text: &str) -> Vec<(String, String, Cell)> {
        if self.language != Language::Murphi {
            return Vec::new();
        }
        let types = &self.model.types;
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let mut found: Vec<(String, String, Cell)> = Vec::new();
        for ty in types.ids().filter(|ty| matches!(types[*ty].kind, TypeKind::Scalarset(_))) {
            let (low, high) = types.bounds(ty);
            for value in low..=high {
                let name = types.show(ty, value);
                if let Some(of) = &types[ty].name
                    && words.contains(&name.as_str())
                    && !found.iter().any(|(known, ..)| *known == name)
                {
                    found.push((name, of.clone(), value));
                }
            }
        }
        found
    }

    /// Reads a condition; the elements that it names are quantified, and then bound to their values.
    fn read(&self, text: &str) -> Result<Term, Failure> {
        let elements = self.elements(text);
        let around: String =
            elements.iter().map(|(name, of, _)| format!("forall {name} : {of} do ")).collect();
        let (source, model, property) =
            self.with_condition(&format!("{around}(\n{text}\n){}", " end".repeat(elements.len())))?;
        let mut expr = condition_of(&property).cloned();
        let mut bound = Vec::new();
        for (.., value) in elements {
            match expr.map(|expr| expr.kind) {
                Some(ExprKind::Quantified(_, each, body)) => {
                    bound.push((each.local, value));
                    expr = Some(*body);
                }
                _ => return Err(Failure::Refused("an element cannot be named here".to_owned())),
            }
        }
        match expr {
            Some(expr) => {
                Ok(Term { source, model, frame: property.frame.clone(), bound, expr, condition: true })
            }
            None => Err(Failure::Refused("a condition on one state is expected".to_owned())),
        }
    }

    /// A term that is no condition.
    fn read_term(&self, text: &str) -> Result<Term, Failure> {
        let equal = if self.language == Language::Promela { "==" } else { "=" };
        let mut term = self.read(&format!("(\n{text}\n) {equal} (\n{text}\n)"))?;
        match term.expr.kind {
            ExprKind::Eq(a, _) => {
                (term.expr, term.condition) = (*a, false);
                Ok(term)
            }
            _ => Err(Failure::Refused("a simple value is expected".to_owned())),
        }
    }

    /// Whether a state is a deadlock.
    fn is_stuck(&mut self, state: &[Cell]) -> Told<bool> {
        let (mut progress, mode) = (false, self.options.deadlock);
        let ran = self.machine.successors(state, &mut |step| {
            progress |= mode == DeadlockMode::Stuck || !step.stutters;
            ControlFlow::Continue(())
        });
        ran.map_err(|TimeUp| STOPPED.to_owned())?;
        self.machine.side_effects();
        Ok(!progress)
    }
}

/// The condition on one state that a property is about, if it is about one: that of `p`, `AG p`, `F p` and the like.
fn condition_of(property: &Property) -> Option<&Expr> {
    fn atom(formula: &Formula) -> Option<&Expr> {
        match &formula.kind {
            FormulaKind::Atom(expr) => Some(expr),
            FormulaKind::Unary(_, _, inner) => atom(inner),
            _ => None,
        }
    }
    property.condition.as_ref().or_else(|| property.formula.as_ref().and_then(atom))
}

/// Why a condition was not read, in one line.
fn complaint(failure: &Failure) -> String {
    match failure {
        Failure::Input(diagnostics) => {
            let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            first.map_or_else(|| failure.to_string(), |Diagnostic { message, .. }| message.clone())
        }
        other => other.to_string(),
    }
}

impl World for Typed<'_> {
    fn facts(&self) -> Facts {
        let report = self.symmetry.as_ref().map(|Symmetry { runs, .. }| {
            let report = group::report(&runs.planned[0], runs.derived);
            (report.structure, report.order)
        });
        let value = |constant: &burnside_model::system::Constant| {
            (constant.name.clone(), Value::new(&self.model.types, constant.ty, constant.value))
        };
        let (equal, and) = if self.language == Language::Promela { ("==", "&&") } else { ("=", "&") };
        // Two variables with the values that they have at first.
        let start = self.states.get(0).map(|state| trace::values(self.model, state)).unwrap_or_default();
        let known = start.iter().filter(|(_, value)| *value != Value::Undefined);
        let shown = known.take(2).map(|(name, value)| format!("{name} {equal} {value}"));
        Facts {
            language: self.language.name().to_owned(),
            constants: self.model.constants.iter().map(value).collect(),
            symmetry: report,
            example: shown.collect::<Vec<_>>().join(&format!(" {and} ")),
        }
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.machine.set_deadline(deadline);
        self.explainer.set_deadline(deadline);
        self.deadline = deadline;
    }

    fn starts(&mut self) -> Told<Vec<Move>> {
        self.steps(None)
    }

    fn moves(&mut self, state: StateId) -> Told<Vec<Move>> {
        let state = self.state(state)?;
        self.steps(Some(&state))
    }

    fn view(&mut self, state: StateId) -> View {
        let values = self.state(state).map(|state| trace::values(self.model, &state)).unwrap_or_default();
        View { values, ..View::default() }
    }

    fn statuses(&mut self, state: StateId) -> Told<Vec<Status>> {
        let state = self.state(state)?;
        let mut all = Vec::new();
        for property in &self.model.properties {
            if !property.kind.is_decided() || property.is_statement() {
                continue;
            }
            let (mut holds, mut why) = (None, None);
            match (self.explainer.property(property, &state), condition_of(property)) {
                (Some(Ok(judged)), _) => (holds, why) = (Some(judged.holds), judged.why),
                (Some(Err(fault)), _) => why = Some(fault),
                // It is about runs; what can be said of this state is told without a verdict.
                (None, Some(part)) => {
                    let judged = self.explainer.condition(&property.frame, part, &state);
                    why = Some(judged.map_or_else(|fault| fault, |judged| judged.why.unwrap_or_default()));
                }
                (None, None) => {}
            }
            let place = Some(self.place(property.span));
            all.push(Status { name: property.name.clone(), kind: property.kind.name(), holds, why, place });
        }
        if self.options.deadlock != DeadlockMode::Off {
            let stuck = self.is_stuck(&state)?;
            all.push(Status {
                name: "deadlock".to_owned(),
                kind: PropertyKind::NoDeadlock.name(),
                holds: Some(!stuck),
                why: stuck.then(|| "no rule leads to another state".to_owned()),
                place: None,
            });
        }
        Ok(all)
    }

    fn orbit(&mut self, state: StateId) -> Told<Option<Orbit>> {
        let cells = self.state(state)?;
        let Some(Symmetry { runs, canonicaliser }) = &mut self.symmetry else { return Ok(None) };
        let (form, permutation) = canonicaliser.canonical(&cells);
        let planned = &runs.planned[0];
        Ok(Some(Orbit {
            permutation: group::cycles(&planned.model, planned.plan.symmetry(), &permutation),
            size: canonicaliser.orbit_of(&cells).map(|size| size.to_string()),
            representative: self.states.number(form),
        }))
    }

    fn term(&mut self, text: &str) -> Told<usize> {
        let term = self.read(text).or_else(|wrong| self.read_term(text).map_err(|_| complaint(&wrong)))?;
        self.terms.push(term);
        Ok(self.terms.len() - 1)
    }

    fn value(&mut self, term: usize, state: StateId) -> Told<String> {
        let cells = self.state(state)?;
        let term = self.terms.get(term).ok_or("there is no such condition")?;
        let mut explainer = Explainer::new(&term.model, &term.source, self.options.semantics);
        explainer.set_deadline(self.deadline);
        if term.condition {
            let holds = explainer.holds(&term.frame, &term.bound, &term.expr, &cells);
            return holds.map(|holds| holds.to_string());
        }
        explainer.value(&term.frame, &term.bound, &term.expr, &cells).map(|value| value.to_string())
    }
}
