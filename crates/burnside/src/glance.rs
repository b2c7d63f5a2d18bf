//! Short searches before a reduction that may not pay.
//!
//! Where only some rules break the symmetry, nobody knows beforehand whether adapting to it saves more than it costs: it
//! may save nearly everything, or cost a hundred times as much as a search without reduction. So there is first a search
//! that adapts, for so few states that it hardly takes time, and then one without reduction that takes about as long as
//! starting the program. Only where neither comes to its end is adapting tried in earnest, for as long as it may pay
//! (`burnside_explicit::adaptive`).
//!
//! A group of a few permutations that is left is used as long as it saves something: where most orbits that were found in
//! a short search have one state, it goes on without.

use burnside_model::{Count, Events, Limit};

use crate::engines::counting::prints;
use crate::hall::Check;
use crate::outcome::Outcome;
use crate::rounds::Again;
use crate::runs::{Planned, Runs};
use crate::{Engine, Failure, Options, Reduce};

/// The most permutations of a group that may not be worth its price: choosing a representative costs up to as much as a
/// state, and no group saves more than its order.
const SMALL: u128 = 6;

/// How many states an orbit must have on average, in halves, for a small group to be used.
const HALVES: u128 = 3;

impl Check<'_> {
    /// Makes short searches where reduction may not pay; nothing if none came to its end. `runs` becomes what was done, or
    /// what is to be done.
    pub(crate) fn glance(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        let [planned] = runs.planned.as_slice() else { return Ok(None) };
        let by_states = matches!(options.engine, Engine::Auto | Engine::Explicit | Engine::Interpreter);
        let asks = options.checkpoint.is_some() || options.resume.is_some() || options.certificate.is_some();
        if options.reduce != Reduce::Auto || !by_states || asks || prints(&self.subject.model) {
            return Ok(None);
        }
        if planned.plan.partial.is_some() {
            return self.glance_adapting(runs, options, events);
        }
        if !is_small(planned) {
            return Ok(None);
        }
        let Some(outcome) = self.shortly(runs, options.patience.glance_states, options, events)? else {
            return Ok(None);
        };
        if is_done(&outcome) {
            return Ok(Some(outcome));
        }
        let (orbits, states) = (outcome.found.states.to_u128(), outcome.found.full_states.as_ref());
        if orbits
            .zip(states.and_then(Count::to_u128))
            .is_some_and(|(orbits, full)| 2 * full < HALVES * orbits)
        {
            let options = Options { reduce: Reduce::None, ..options.clone() };
            *runs = self.subject.runs(&options, false);
        }
        Ok(None)
    }

    /// One that adapts, and one without reduction.
    fn glance_adapting(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        if let Some(outcome) =
            self.shortly(runs, options.patience.glance_forms, options, events)?.filter(is_done)
        {
            return Ok(Some(outcome));
        }
        let mut plain = self.subject.runs(options, false);
        if plain.planned.len() > 1 {
            return Ok(None);
        }
        let outcome =
            self.shortly(&mut plain, options.patience.glance_states, options, events)?.filter(is_done);
        if outcome.is_some() {
            *runs = plain;
        }
        Ok(outcome)
    }

    /// Makes an exploration of few states.
    fn shortly(
        &self,
        runs: &mut Runs,
        states: u64,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        runs.planned[0].options.limits.states = Some(states);
        let outcome = self.execute(runs, options, &mut Again(events))?;
        runs.planned[0].options.limits.states = options.limits.states;
        Ok(outcome)
    }
}

/// Whether a search came to its end, or to another limit than the number of its states.
fn is_done(outcome: &Outcome) -> bool {
    outcome.found.limit != Some(Limit::States)
}

/// Whether an exploration uses so few permutations that they may cost more than they save.
fn is_small(planned: &Planned) -> bool {
    let plan = &planned.plan;
    let all = plan.domains.iter().map(|domain| u128::from(planned.model.types.domain(*domain).size));
    // Whatever the group is, it is no larger than this.
    let most = all.map(|size| (1..=size.min(34)).product()).fold(1u128, u128::saturating_mul);
    !plan.domains.is_empty() && most <= SMALL
}
