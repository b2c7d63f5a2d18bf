//! Formulas of LTL: a run that violates one is a run that the automaton of its negation accepts.
//!
//! What is claimed of all values of variables is decided for one tuple of values of each orbit: the automaton is made
//! for that tuple, and a node has what permutations have made of it. Quantifiers further inside are written out, and all
//! values that the automaton then speaks of are followed.

use std::collections::HashSet;

use burnside_logic::ctl::Bindings;
use burnside_logic::loop_values;
use burnside_logic::ltl::automaton;
use burnside_model::code::{Cell, LocalId, Quantifier, TypeId};
use burnside_model::system::{Formula, FormulaKind, Property};

use super::arena::{Arena, Automaton};
use super::components::Components;
use super::ctl::{Shown, Variable, World, start_nodes};
use super::loops::Way;
use super::tuples::Tuples;
use super::{Stop, Verdict};

/// More temporal operators than that, with quantifiers written out, make an automaton that is too large.
const MOST_OPERATORS: usize = 40;

/// An automaton with more transitions than that takes longer to make than to use.
const MOST_TRANSITIONS: usize = 1 << 16;

impl World<'_> {
    pub fn ltl(&self, property: &Property, formula: &Formula) -> Result<(Verdict, Option<Shown>), Stop> {
        let (frame, mut scope, mut formula) = (&property.frame, self.parameters(property), formula);
        while let FormulaKind::Quantified(Quantifier::Forall, each, inner) = &formula.kind {
            let values = loop_values(self.model, frame, each);
            scope.push(Variable { local: each.local, ty: frame[each.local].ty, values });
            formula = inner;
        }
        let operators = self.operators(property, formula);
        if operators > MOST_OPERATORS {
            let message = format!(
                "with its quantifiers written out it has {operators} temporal operators, more than {MOST_OPERATORS}"
            );
            return Err(Stop::Refused(message));
        }
        let mut covered: HashSet<Vec<Cell>> = HashSet::new();
        for values in self.tuples(&scope)?.list {
            if covered.contains(&values) {
                continue;
            }
            let mut bindings: Bindings = scope.iter().map(|v| v.local).zip(values).collect();
            if let Some(shown) = self.violation(property, formula, &mut bindings, &mut covered)? {
                return Ok((Verdict::Violated, Some(shown)));
            }
        }
        Ok((Verdict::Holds, None))
    }

    /// How many temporal operators there are with all quantifiers written out.
    fn operators(&self, property: &Property, formula: &Formula) -> usize {
        let inside = formula.parts().into_iter().map(|part| self.operators(property, part)).sum();
        match &formula.kind {
            FormulaKind::Unary(..) | FormulaKind::Binary(..) => 1usize.saturating_add(inside),
            // Both sides are written twice.
            FormulaKind::Iff(..) => inside.saturating_mul(2),
            FormulaKind::Quantified(_, each, _) => {
                inside.saturating_mul(loop_values(self.model, &property.frame, each).len())
            }
            _ => inside,
        }
    }

    /// A run that violates a formula for these values, or others of their orbit, which are `covered` then.
    fn violation(
        &self,
        property: &Property,
        formula: &Formula,
        bindings: &mut Bindings,
        covered: &mut HashSet<Vec<Cell>>,
    ) -> Result<Option<Shown>, Stop> {
        let frame = &property.frame;
        let made = automaton(self.model, frame, formula, bindings, true, MOST_TRANSITIONS);
        let Some((buchi, atoms)) = made else {
            let message = format!("its automaton has more than {MOST_TRANSITIONS} transitions");
            return Err(Stop::Refused(message));
        };
        if buchi.acceptance > 64 {
            return Err(Stop::Refused("its automaton has more than 64 acceptance sets".to_owned()));
        }
        // Everything that it speaks of, once.
        let mut followed: Vec<(TypeId, Cell)> = Vec::new();
        let spoken = bindings.iter().chain(atoms.iter().flat_map(|(_, bindings)| bindings));
        for (local, value) in spoken {
            let of = (frame[*local].ty, *value);
            if !followed.contains(&of) {
                followed.push(of);
            }
        }
        let place = |(local, value): &(LocalId, Cell)| -> usize {
            followed.iter().position(|of| *of == (frame[*local].ty, *value)).unwrap_or(0)
        };
        let (types, first): (Vec<TypeId>, Vec<Cell>) = followed.iter().copied().unzip();
        let tuples = Tuples::new(self.renaming, types, vec![first]);
        let tuples = tuples.ok_or_else(|| Stop::Refused("its values are not symmetric".to_owned()))?;
        let mut conditions = Vec::new();
        for tuple in &tuples.list {
            let with = |bindings: &Bindings| -> Bindings {
                bindings.iter().map(|binding| (binding.0, tuple[place(binding)])).collect()
            };
            let number =
                |(condition, bindings): &(&_, Bindings)| self.facts.number(condition, &with(bindings));
            let numbers: Option<Vec<usize>> = atoms.iter().map(number).collect();
            let numbers = numbers.ok_or_else(|| Stop::Refused("a condition was not evaluated".to_owned()))?;
            conditions.push(numbers);
        }
        // One tuple for each of the values that are claimed something of.
        let mut starting = Vec::new();
        for (number, tuple) in tuples.list.iter().enumerate() {
            let values: Vec<Cell> = bindings.iter().map(|binding| tuple[place(binding)]).collect();
            if covered.insert(values) {
                starting.push(number);
            }
        }
        let way = {
            let automaton = Automaton { buchi, conditions };
            let arena = Arena { automaton: Some(&automaton), ..self.arena(&tuples) };
            let mut search = Components::new(arena, self.fairness, self.deadline, self.room)?;
            let starts = start_nodes(&arena, &starting);
            let Some(component) = search.fair_from(&starts)? else { return Ok(None) };
            let inside: HashSet<_> = component.iter().copied().collect();
            let found = search.way(&starts, &|_| true, &|node| inside.contains(&node))?;
            let Some((start, stem)) = found else { return Err(Stop::unstored()) };
            let head = stem.last().map_or(start, |hop| hop.to);
            let Some(round) = search.round(&component, head)? else { return Err(Stop::unstored()) };
            // What is said of states needs no automaton.
            let plain = self.arena(&tuples);
            let below = |node| {
                let (stored, tuple, _) = arena.parts(node);
                plain.node(stored, tuple, 0)
            };
            let lower = |hops: Vec<super::arena::Hop>| -> Vec<super::arena::Hop> {
                let lowered = |hop: super::arena::Hop| super::arena::Hop {
                    from: below(hop.from),
                    to: below(hop.to),
                    ..hop
                };
                hops.into_iter().map(lowered).collect()
            };
            Way { start: below(start), stem: lower(stem), round: lower(round) }
        };
        let (_, tuple, _) = self.arena(&tuples).parts(way.start);
        let values = bindings.iter().map(|binding| (binding.0, tuples.list[tuple][place(binding)]));
        let types = bindings.iter().map(|(local, _)| frame[*local].ty).collect();
        Ok(Some(Shown { way, bindings: values.collect(), types, complete: true, tuples }))
    }
}
