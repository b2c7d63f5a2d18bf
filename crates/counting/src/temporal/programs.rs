//! Worlds as programs that count, whose formulas somebody else decides.
//!
//! To know in which start states a formula holds, it is asked of each: `start -> formula`, and, as what does not hold has
//! a run that shows why, also `start -> !formula`.

use burnside_model::Model;
use burnside_model::code::{Expr, LogicOp, StmtKind};
use burnside_model::findings::{Ending, Known, PropertyResult};
use burnside_model::system::{Formula, FormulaKind, Property, PropertyKind};

use super::Reached;
use super::decide::{Oracle, Shown};
use super::worlds::{World, number_of};
use crate::check::Obstacle;
use crate::counters::Counting;
use crate::population::Population;
use crate::program::{Program, program};
use crate::reach::{Found, Stopped};
use crate::terms::{AT, equal, logic, read};

/// Decides the properties of a program: what is found of each of its properties, or why nothing is.
pub type Ask<'a> = dyn FnMut(&Model) -> Result<Vec<PropertyResult>, String> + 'a;

/// The program of a world, and what is known of it.
struct Written {
    program: Program,
    starts: Vec<Population>,
    /// Per formula and start state, whether it holds, and a run that shows why.
    answers: Vec<Vec<Option<(bool, Shown)>>>,
}

/// The programs of all worlds.
pub(super) struct Programs(Vec<Written>);

impl Programs {
    /// Writes the programs of what was reached.
    pub fn write(worlds: &[World], countings: &[Counting<'_>], reached: &mut Reached<'_>) -> Found<Self> {
        let mut all = Vec::new();
        for ((world, counting), reached) in worlds.iter().zip(countings).zip(&mut reached.worlds) {
            let mut program = program(counting, &mut reached.reach, true)?;
            let stated = std::mem::take(&mut program.model.properties);
            let constraint =
                |condition: &usize| Property { kind: PropertyKind::Fairness, ..stated[*condition].clone() };
            program.model.properties.extend(world.met.iter().map(constraint));
            let starts = reached.starts.clone();
            for formula in &world.formulas {
                let formula = over_counters(formula, &stated);
                for start in 0..starts.len() {
                    let at = Formula { kind: FormulaKind::Atom(is_start(&program.model, start)), span: AT };
                    for asked in [formula.clone(), not(formula.clone())] {
                        program.model.properties.push(asks(at.clone(), asked));
                    }
                }
            }
            all.push(Written { program, starts, answers: Vec::new() });
        }
        Ok(Programs(all))
    }

    /// Asks everything.
    pub fn ask(&mut self, countings: &[Counting<'_>], ask: &mut Ask<'_>) -> Result<(), Obstacle> {
        for (written, counting) in self.0.iter_mut().zip(countings) {
            let results = ask(&written.program.model).map_err(|reason| Obstacle { reason, span: None })?;
            let results: Vec<_> =
                results.into_iter().filter(|result| result.kind == PropertyKind::Ctl).collect();
            let program = &written.program;
            let shown = |known: &Known| match known {
                Known::Violated(witnesses) => match witnesses.first()?.ending.clone() {
                    Ending::Temporal(lasso) => {
                        let path = &witnesses.first()?.path;
                        let populations: Vec<_> =
                            path.iter().map(|state| program.population(counting, state)).collect();
                        let agents = vec![None; populations.len()];
                        Some(Shown { populations, agents, back: lasso.back, complete: lasso.complete })
                    }
                    _ => None,
                },
                _ => None,
            };
            let answer = |pair: &[PropertyResult]| match pair {
                [yes, no] => match (&yes.known, &no.known) {
                    (Known::Holds, no) => Some((true, shown(no)?)),
                    (yes, Known::Holds) => Some((false, shown(yes)?)),
                    _ => None,
                },
                _ => None,
            };
            let answers: Vec<_> = results.chunks(2).map(answer).collect();
            written.answers = answers.chunks(written.starts.len().max(1)).map(<[_]>::to_vec).collect();
        }
        Ok(())
    }

    fn answer(&self, world: usize, formula: usize, start: &Population) -> Found<&(bool, Shown)> {
        let written = &self.0[world];
        let at = written.starts.iter().position(|known| known == start);
        let answer = at.and_then(|at| written.answers.get(formula)?.get(at)?.as_ref());
        // Whoever was asked did not have the means.
        answer.ok_or(Stopped::Memory)
    }
}

impl Oracle for Programs {
    fn holds(&mut self, world: usize, formula: usize, start: &Population) -> Found<bool> {
        Ok(self.answer(world, formula, start)?.0)
    }

    fn shown(&mut self, world: usize, formula: usize, start: &Population, _holds: bool) -> Found<Shown> {
        Ok(self.answer(world, formula, start)?.1.clone())
    }
}

/// The property that says something of one start state.
fn asks(at: Formula, formula: Formula) -> Property {
    let kind = FormulaKind::Logic(LogicOp::Implies, Box::new(at), Box::new(formula));
    Property {
        name: "asked".to_owned(),
        named: true,
        kind: PropertyKind::Ctl,
        binders: Vec::new(),
        frame: Default::default(),
        condition: None,
        formula: Some(Formula { kind, span: AT }),
        span: AT,
    }
}

fn not(formula: Formula) -> Formula {
    Formula { kind: FormulaKind::Not(Box::new(formula)), span: AT }
}

/// A formula whose atoms are what the program says of the conditions.
pub(crate) fn over_counters(formula: &Formula, stated: &[Property]) -> Formula {
    let mut formula = formula.clone();
    replace(&mut formula, stated);
    formula
}

fn replace(formula: &mut Formula, stated: &[Property]) {
    if let FormulaKind::Atom(atom) = &mut formula.kind {
        let condition = number_of(atom).and_then(|number| stated.get(number)?.condition.clone());
        *atom = condition.unwrap_or_else(|| atom.clone());
        return;
    }
    formula.parts_mut().into_iter().for_each(|part| replace(part, stated));
}

/// The condition that a state of the program is the one that a start state makes.
fn is_start(program: &Model, start: usize) -> Expr {
    let set = program.starts[start].body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(place, value) => Some(equal(read(place.clone()), value.clone())),
        _ => None,
    });
    logic(LogicOp::And, set.collect())
}
