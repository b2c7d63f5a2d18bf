//! Probabilistic models: each branch of a choice is a step, with its probability or rate.

use std::collections::{HashMap, VecDeque};

use burnside_chance::build::initial_states;
use burnside_chance::step::{Choices, Problem, Stepper};
use burnside_chance::symmetry::{Found, Scratch, Subject};
use burnside_lang::prism;
use burnside_lang::source::Source;
use burnside_model::chance::{Expr, Kind, Model, Property, Value as Number, eval};
use burnside_model::{Deadline, Span};
use burnside_report::{Named, Place, Value};

use super::world::{Facts, Move, Orbit, StateId, States, Status, Told, View, World};

/// A probabilistic model to walk.
pub(crate) struct Chance<'m> {
    /// As it was given, without properties.
    source: &'m Source,
    /// The text that places point into.
    text: &'m Source,
    constants: &'m [(String, String)],
    model: &'m Model,
    properties: &'m [Property],
    stepper: Stepper<'m>,
    symmetry: Option<(Found, Scratch)>,
    states: States<Vec<i64>>,
    terms: Vec<Expr>,
}

impl<'m> Chance<'m> {
    /// A model with its properties, whose places are in `text`.
    pub fn new(
        source: &'m Source,
        text: &'m Source,
        constants: &'m [(String, String)],
        model: &'m Model,
        properties: &'m [Property],
    ) -> Self {
        let (found, _) = Subject::new(model).find(&[], &[]);
        let symmetry = found.map(|found| {
            let scratch = found.canon.scratch();
            (found, scratch)
        });
        let (states, terms) = (States::new(), Vec::new());
        let stepper = Stepper::new(model, false);
        Chance { source, text, constants, model, properties, stepper, symmetry, states, terms }
    }

    fn state(&self, number: StateId) -> Told<Vec<i64>> {
        self.states.get(number).cloned().ok_or_else(|| format!("there is no state {number}"))
    }

    fn place(&self, span: Span) -> Place {
        let location = self.text.location(span.start);
        Place { file: location.file.to_owned(), line: location.line, column: location.column }
    }

    fn named(&self, state: &[i64]) -> Vec<Named> {
        let value = |(variable, value): (&burnside_model::chance::Variable, &i64)| {
            let value = if variable.boolean { Value::Bool(*value != 0) } else { Value::Int(*value) };
            (variable.name.clone(), value)
        };
        self.model.variables.iter().zip(state).map(value).collect()
    }

    /// The commands of a synchronisation whose guards hold, as the process and place of its choices: the module, if all
    /// are of one.
    fn participants(&self, sync: u32, state: &[i64]) -> (Option<String>, Option<Place>) {
        let sync = &self.model.synchronisations[sync as usize];
        let enabled = |id: &&u32| {
            let guard = &self.model.commands[**id as usize].guard;
            self.evaluate(guard, state).is_ok_and(|value| value.truth())
        };
        let all: Vec<&u32> = sync.slots.iter().flatten().filter(enabled).collect();
        let mut modules: Vec<u32> = all.iter().map(|id| self.model.commands[**id as usize].module).collect();
        modules.sort_unstable();
        modules.dedup();
        let process = match modules.as_slice() {
            [only] => self.model.modules.get(*only as usize).cloned(),
            _ => None,
        };
        // Several commands of one module may be enabled: then the text has no single place.
        let place = match all.as_slice() {
            [first] => Some(self.place(self.model.commands[**first as usize].span)),
            _ => None,
        };
        (process, place)
    }

    fn evaluate(&self, expr: &Expr, state: &[i64]) -> Told<Number> {
        let boolean = |variable: u32| self.model.variables[variable as usize].boolean;
        eval(expr, state, &boolean).map_err(|fault| fault.message().to_owned())
    }

    fn judged(&self, name: &str, kind: &'static str, expr: &Expr, state: &[i64]) -> Status {
        let holds = self.evaluate(expr, state).map(|value| value.truth());
        Status {
            name: name.to_owned(),
            kind,
            why: match &holds {
                Ok(_) => Some(self.reads(expr, state)),
                Err(fault) => Some(fault.clone()),
            },
            holds: holds.ok(),
            place: None,
        }
    }

    /// The values that an expression reads.
    fn reads(&self, expr: &Expr, state: &[i64]) -> String {
        let named = self.named(state);
        let read = expr.support();
        let list: Vec<String> = read
            .iter()
            .take(12)
            .map(|v| format!("{} = {}", named[*v as usize].0, named[*v as usize].1))
            .collect();
        list.join(", ")
    }
}

/// The most states that are looked at for the way to a representative.
const MOST_OF_ORBIT: usize = 2_000;

/// Which generators, one after the other, make a state its representative.
fn way(found: &Found, model: &Model, from: &[i64], to: &[i64]) -> String {
    let mut parents: HashMap<Vec<i64>, Option<(Vec<i64>, usize)>> = HashMap::from([(from.to_vec(), None)]);
    let mut queue = VecDeque::from([from.to_vec()]);
    while let Some(state) = queue.pop_front() {
        if state == to {
            let (mut words, mut at) = (Vec::new(), state);
            while let Some(Some((before, generator))) = parents.remove(&at) {
                words.push(found.words[generator].clone());
                at = before;
            }
            words.reverse();
            return words.join(" then ");
        }
        for generator in 0..found.words.len() {
            let image = found.image(model, generator, &state);
            if parents.len() < MOST_OF_ORBIT && !parents.contains_key(&image) {
                parents.insert(image.clone(), Some((state.clone(), generator)));
                queue.push_back(image);
            }
        }
    }
    "one of many permutations".to_owned()
}

fn told(problem: impl AsRef<Problem>) -> String {
    problem.as_ref().message.clone()
}

impl World for Chance<'_> {
    fn facts(&self) -> Facts {
        Facts {
            language: format!("prism {}", self.model.kind.word()),
            constants: Vec::new(),
            symmetry: self.symmetry.as_ref().map(|(found, _)| (found.structure.clone(), found.order.clone())),
            example: self.model.variables.first().map_or(String::new(), |variable| match variable.boolean {
                true => variable.name.clone(),
                false => format!("{} = {}", variable.name, variable.high),
            }),
        }
    }

    fn set_deadline(&mut self, _deadline: Deadline) {}

    fn starts(&mut self) -> Told<Vec<Move>> {
        let starts = initial_states(self.model).map_err(told)?;
        let start = |state: Vec<i64>| Move {
            rule: "start".to_owned(),
            parameters: Vec::new(),
            process: None,
            place: None,
            note: None,
            chance: None,
            to: Ok(self.states.number(state)),
        };
        Ok(starts.into_iter().map(start).collect())
    }

    fn moves(&mut self, state: StateId) -> Told<Vec<Move>> {
        let state = self.state(state)?;
        let mut found = Choices::default();
        self.stepper.choices(&state, &mut found).map_err(told)?;
        let (width, mut branch) = (self.model.variables.len(), 0);
        let mut moves = Vec::new();
        for (number, (sync, end)) in found.choices.iter().enumerate() {
            let action = self.model.synchronisations[*sync as usize].action;
            let (process, place) = self.participants(*sync, &state);
            while branch < *end {
                let target = found.targets[branch * width..(branch + 1) * width].to_vec();
                moves.push(Move {
                    rule: match (action, &process) {
                        (Some(action), _) => format!("[{}]", self.model.actions[action as usize]),
                        (None, Some(module)) => format!("[] {module}"),
                        (None, None) => "[]".to_owned(),
                    },
                    parameters: Vec::new(),
                    process: process.clone(),
                    place: place.clone(),
                    note: None,
                    chance: Some((number, found.taken[branch].weight)),
                    to: Ok(self.states.number(target)),
                });
                branch += 1;
            }
        }
        if moves.is_empty() && self.model.kind != Kind::Ctmc {
            // As PRISM's `fixdl`: a state without choices stays as it is.
            return Ok(Vec::new());
        }
        Ok(moves)
    }

    fn view(&mut self, state: StateId) -> View {
        let values = self.state(state).map(|state| self.named(&state)).unwrap_or_default();
        View { values, ..View::default() }
    }

    fn statuses(&mut self, state: StateId) -> Told<Vec<Status>> {
        let state = self.state(state)?;
        let labels = self.model.labels.iter().map(|(name, expr)| self.judged(name, "label", expr, &state));
        let properties = self.properties.iter().map(|property| {
            let place = Some(self.place(property.span));
            if property.formula.is_plain() {
                return Status {
                    place,
                    ..self.judged(&property.text, "property", &property.formula, &state)
                };
            }
            Status { name: property.text.clone(), kind: "property", holds: None, why: None, place }
        });
        Ok(labels.chain(properties).collect())
    }

    fn orbit(&mut self, state: StateId) -> Told<Option<Orbit>> {
        let before = self.state(state)?;
        let Some((found, scratch)) = &mut self.symmetry else { return Ok(None) };
        let mut after = before.clone();
        found.canon.apply(&mut after, scratch);
        let size = found.canon.orbit_size(&before).map(|size| size.to_string());
        let permutation = way(found, self.model, &before, &after);
        Ok(Some(Orbit { representative: self.states.number(after), permutation, size }))
    }

    fn term(&mut self, text: &str) -> Told<usize> {
        let property = Source::new("condition", format!("({text})"));
        let loaded = prism::load(self.source, &[&property], self.constants);
        if let Err(diagnostics) = &loaded.model {
            return Err(diagnostics.first().map_or(String::new(), |wrong| wrong.message.clone()));
        }
        match loaded.properties.into_iter().next() {
            Some(Ok(property)) if property.formula.is_plain() => {
                self.terms.push(property.formula);
                Ok(self.terms.len() - 1)
            }
            Some(Err(missing)) => Err(missing.diagnostic.message),
            _ => Err("a condition on one state is expected".to_owned()),
        }
    }

    fn value(&mut self, term: usize, state: StateId) -> Told<String> {
        let state = self.state(state)?;
        let term = self.terms.get(term).ok_or("there is no such condition")?;
        Ok(match self.evaluate(term, &state)? {
            Number::Bool(value) => value.to_string(),
            Number::Int(value) => value.to_string(),
            Number::Real(value) => value.to_f64().to_string(),
        })
    }
}
