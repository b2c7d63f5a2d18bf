//! Which explorations a model needs, and what they say together.
//!
//! A model with declared scalarsets, or without any symmetry, needs one. Where symmetry was detected or claimed, the
//! model is explored with the values that are interchangeable as elements of symmetry domains; a property that tells
//! more of them apart gets an exploration of its own under the smaller group, shared by all properties with that group.
//!
//! What the explicit engine does not decide of formulas of CTL, decision diagrams do, unless an engine is asked for: in an
//! exploration of their own.
//!
//! A quantifier over elements evaluates all its instances, over a plain range only until it is decided. So long as
//! nothing goes wrong at run time both are the same. If something does, it counts only if it goes wrong in the model as
//! it is, too, and ended the search; otherwise the model is explored once more as it is.

use std::time::Instant;

use burnside_explicit::{Events, Exploration, Known, PropertyResult};
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::code::{Expr, ExprKind, Types};
use burnside_model::findings::TemporalGroup;
use burnside_model::system::{Property, PropertyKind};
use burnside_model::{Limit, Model};
use burnside_symmetry::Claimed;
use burnside_symmetry::detect::{Detection, Named, detect};

use crate::claims;
use crate::plan::{Plan, follows_slots};
use crate::run::AllConfirmed;
use crate::witness::End;
use crate::{Detect, Engine, Failure, Options, Reduce};

/// The most explorations; more groups than that are met in one.
const MOST_RUNS: usize = 4;

/// One exploration.
pub(crate) struct Planned {
    /// The model with symmetry domains attached, and with the properties that are not decided here made trivial.
    pub model: Model,
    /// How it is explored.
    pub plan: Plan,
    /// The stated properties that it decides.
    pub decides: Vec<usize>,
    /// Whether it is done with decision diagrams, as it decides what the engine asked for cannot.
    pub diagrams: bool,
}

/// All explorations of a model. The first decides what the model does not state.
pub(crate) struct Runs {
    /// At least one.
    pub planned: Vec<Planned>,
    /// Where the symmetry is from.
    pub derived: &'static str,
    /// What was detected, if that was looked for.
    pub detection: Option<Detection>,
    /// What became of claims.
    pub warnings: Vec<Diagnostic>,
    /// The rules that symmetry maps to other rules, in orbits; none if rules are mapped to themselves.
    pub alike: Vec<Vec<usize>>,
    /// Whether a quantifier may look at more instances than it should.
    watched: bool,
}

/// What all explorations found.
pub(crate) struct Outcome {
    /// Together.
    pub exploration: Exploration,
    /// The runs of the violations.
    pub confirmed: AllConfirmed,
    /// Stored states of each exploration, in decimal.
    pub states: Vec<String>,
    /// The smaller groups under which an exploration decided formulas.
    pub groups: Vec<(usize, TemporalGroup)>,
    /// Why some properties were not decided.
    pub refused: Vec<(usize, String)>,
    /// Whether some start state has no fair run.
    pub unfair: bool,
}

impl Runs {
    /// The explorations of a model.
    pub fn new(model: &Model, options: &Options) -> Runs {
        Runs::choose(model, options, true)
    }

    /// The explorations of a model; `adapts` if symmetry that only some rules break may be used.
    pub fn choose(model: &Model, options: &Options, adapts: bool) -> Runs {
        if options.reduce == Reduce::OnTheFly && options.engine == Engine::Bdd {
            return Runs::on_the_fly(model, options);
        }
        if let Some(runs) = Runs::claimed(model, options, adapts) {
            return runs;
        }
        let Some(mut detection) = looked_for(model, options) else {
            return Runs::plain(model, options, adapts);
        };
        let (warnings, trusting) = claims::judge(model, options, &mut detection);
        let partial = if adapts { Runs::adaptive(model, options, &detection) } else { None };
        let whole = || Runs::between_named(model, options, &detection);
        let mut runs = match (partial.or_else(whole), detection.is_trivial()) {
            (Some(runs), _) => runs,
            (None, true) => Runs::plain(model, options, adapts),
            (None, false) => Runs::detected(model, options, &detection),
        };
        for plan in runs.planned.iter_mut().map(|planned| &mut planned.plan) {
            if trusting && !plan.trusting() {
                plan.trusted = plan.domains.clone();
            }
        }
        runs.warnings = warnings;
        runs.detection = Some(detection);
        runs
    }

    /// One exploration under claimed generators, if there are any that hold or are trusted.
    fn claimed(model: &Model, options: &Options, adapts: bool) -> Option<Runs> {
        if model.generators.is_empty() || options.unreduced() || follows_slots(model).is_some() {
            return None;
        }
        let detection = looked_for(model, options).unwrap_or_else(|| Detection::none(model));
        let claimed = Claimed::new(model, &detection);
        let warnings = claims::judge_generators(model, options, &claimed);
        if !claimed.is_useful(options.trust_symmetry) {
            let without = Model { generators: Vec::new(), ..model.clone() };
            let mut runs = Runs::choose(&without, options, adapts);
            runs.warnings.splice(0..0, warnings);
            return Some(runs);
        }
        let plan = Plan::with_generators(&claimed, options);
        let decides = (0..model.properties.len()).collect();
        let watched = claimed.watched;
        let planned = vec![Planned { model: claimed.model, plan, decides, diagrams: false }];
        Some(Runs { planned, derived: "claimed", watched, detection: None, warnings, alike: Vec::new() })
    }

    /// One exploration of the model as it is, with whatever may be a symmetry.
    fn on_the_fly(model: &Model, options: &Options) -> Runs {
        let plan = Plan::on_the_fly(model, options);
        let decides = (0..model.properties.len()).collect();
        let planned = vec![Planned { model: model.clone(), plan, decides, diagrams: false }];
        let (warnings, alike) = (Vec::new(), Vec::new());
        Runs { planned, derived: "none", watched: false, detection: None, warnings, alike }
    }

    /// One exploration that adapts to what the rules leave of detected symmetry; nothing if they leave it whole, or
    /// nothing of it.
    fn adaptive(model: &Model, options: &Options, detection: &Detection) -> Option<Runs> {
        // Symmetry that is whole is used as such: that is faster, and mostly what was meant.
        let mut classes = detection.classes.iter().zip(&detection.blocks).zip(&detection.candidates);
        let whole = classes.any(|((class, blocks), all)| class.index && !all.is_empty() && blocks == all);
        if (whole || detection.blocks == detection.candidates) && options.reduce != Reduce::Adaptive {
            return None;
        }
        // Values that nothing is indexed by, such as control states, are no processes.
        let candidates = detection.classes.iter().zip(&detection.candidates);
        let indices = candidates.map(|(class, blocks)| if class.index { blocks.clone() } else { Vec::new() });
        let attached = detection.attach(&indices.collect());
        let plan = Plan { warnings: Vec::new(), ..Plan::new(&attached, options, true) };
        plan.partial.as_ref()?;
        let decides = (0..model.properties.len()).collect();
        let planned = vec![Planned { model: attached, plan, decides, diagrams: false }];
        let derived = claims::derived(model, detection);
        let watched = detection.candidates_watched;
        Some(Runs { planned, derived, watched, detection: None, warnings: Vec::new(), alike: Vec::new() })
    }

    /// One exploration of the model as it is.
    fn plain(model: &Model, options: &Options, adapts: bool) -> Runs {
        let plan = Plan::new(model, options, adapts);
        let derived = if model.types.domains.is_empty() { "none" } else { "declared" };
        let decides = (0..model.properties.len()).collect();
        let planned = vec![Planned { model: model.clone(), plan, decides, diagrams: false }];
        Runs { planned, derived, watched: false, detection: None, warnings: Vec::new(), alike: Vec::new() }
    }

    /// The explorations under symmetry between named things, if there is any beyond what was detected.
    fn between_named(model: &Model, options: &Options, detection: &Detection) -> Option<Runs> {
        // A certificate has no words for variables that move.
        let wanted = options.detect == Detect::Auto
            && options.reduce == Reduce::Auto
            && options.certificate.is_none()
            && !options.canon.sorts()
            && model.claims.is_empty()
            && model.types.domains.is_empty()
            // What formulas say of named things is not looked at.
            && model.properties.iter().all(|property| property.formula.is_none());
        let named = wanted.then(|| Named::find(detection)).flatten()?;
        let of_property = |property| named.generators(&[property]);
        let of_properties = (0..model.properties.len()).map(of_property).collect();
        let groups =
            groups(options, named.generators(&[]), of_properties, &|all: &[usize]| named.generators(all));
        // What has to be explored as it is decides everything.
        if groups.iter().any(|(generators, _)| generators.is_empty()) {
            return None;
        }
        let planned = groups.into_iter().map(|(generators, decides)| {
            let plan = Plan::between_named(&named.domains, generators, options);
            Planned { model: deciding(named.model.clone(), &decides), plan, decides, diagrams: false }
        });
        let planned: Vec<Planned> = planned.collect();
        let (watched, alike) = (named.watched, named.rule_orbits());
        let (detection, warnings) = (None, Vec::new());
        Some(Runs { planned, derived: "detected", watched, detection, warnings, alike })
    }

    fn detected(model: &Model, options: &Options, detection: &Detection) -> Runs {
        let common = |all: &[usize]| detection.common(all);
        let groups = groups(options, detection.blocks.clone(), detection.properties.clone(), &common);
        let planned = groups.into_iter().map(|(blocks, decides)| {
            let model = deciding(detection.attach(&blocks), &decides);
            Planned { plan: Plan::new(&model, options, false), model, decides, diagrams: false }
        });
        let derived = claims::derived(model, detection);
        Runs {
            planned: planned.collect(),
            derived,
            watched: detection.watched,
            detection: None,
            warnings: Vec::new(),
            alike: Vec::new(),
        }
    }

    /// Explores; `self` becomes what was really used.
    pub fn execute(
        &mut self,
        model: &Model,
        source: &Source,
        options: &Options,
        begun: Instant,
        events: &mut dyn Events,
    ) -> Result<Outcome, Failure> {
        let mut together: Option<Outcome> = None;
        for planned in &self.planned {
            if let Some(outcome) = &mut together
                && outcome.exploration.limit.is_some_and(|limit| limit != Limit::Bound)
            {
                outcome.leave(&planned.decides, model);
                continue;
            }
            let executed = planned.plan.execute(&planned.model, model, source, options, begun, events);
            if let Ok(None) = executed {
                *self = Runs::choose(model, options, false);
                return self.execute(model, source, options, begun, events);
            }
            let astray = match &executed {
                Ok(Some((exploration, confirmed))) => {
                    let faulty = confirmed.iter().flatten().any(|run| matches!(run.end, End::Fault(_)));
                    faulty && exploration.complete
                }
                Err(Failure::Internal(_)) => true,
                Ok(None) | Err(_) => false,
            };
            if self.watched && astray {
                let warnings = std::mem::take(&mut self.warnings);
                *self = Runs { warnings, ..Runs::plain(model, options, false) };
                let options = Options { resume: None, ..options.clone() };
                return self.execute(model, source, &options, begun, events);
            }
            let Some((exploration, confirmed)) = executed? else { continue };
            match &mut together {
                None => {
                    let (states, groups) = (vec![states(&exploration)], groups_of(0, &exploration));
                    let (refused, unfair) = (refused_of(&exploration), is_unfair(&exploration));
                    together = Some(Outcome { exploration, confirmed, states, groups, refused, unfair });
                }
                Some(outcome) => outcome.add(exploration, confirmed, &planned.decides),
            }
        }
        let nothing = || Failure::Internal("there is nothing to explore".to_owned());
        let mut outcome = together.ok_or_else(nothing)?;
        self.finish_with_diagrams(&mut outcome, model, source, options, begun, events)?;
        Ok(outcome)
    }

    /// Decision diagrams decide those formulas of CTL that were refused.
    fn finish_with_diagrams(
        &mut self,
        outcome: &mut Outcome,
        model: &Model,
        source: &Source,
        options: &Options,
        begun: Instant,
        events: &mut dyn Events,
    ) -> Result<(), Failure> {
        let is_ctl = |i: &usize| model.properties[*i].kind == PropertyKind::Ctl;
        let decides: Vec<usize> = outcome.refused.iter().map(|(i, _)| *i).filter(is_ctl).collect();
        let of_one_search =
            options.certificate.is_some() || options.checkpoint.is_some() || options.resume.is_some();
        if decides.is_empty() || options.engine != Engine::Auto || of_one_search {
            return Ok(());
        }
        let options = with_diagrams(options);
        let plan = Plan::new(model, &options, false);
        let planned = Planned { model: deciding(model.clone(), &decides), plan, decides, diagrams: true };
        match planned.plan.execute(&planned.model, model, source, &options, begun, events) {
            Ok(Some((exploration, confirmed))) => {
                outcome.refused.retain(|(i, _)| !planned.decides.contains(i));
                outcome.add_beside(exploration, confirmed, &planned.decides);
                self.planned.push(planned);
            }
            Ok(None) => {}
            Err(Failure::Refused(why)) => {
                let refused = outcome.refused.iter_mut().filter(|(i, _)| planned.decides.contains(i));
                refused.for_each(|(_, reason)| reason.clone_from(&why));
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }
}

impl Outcome {
    /// Takes in what an exploration of another kind found: its figures stay apart.
    fn add_beside(&mut self, other: Exploration, confirmed: AllConfirmed, decides: &[usize]) {
        self.states.push(states(&other));
        let mine = &mut self.exploration;
        mine.limit = mine.limit.or(other.limit);
        mine.complete &= other.complete;
        mine.memory = mine.memory.max(other.memory);
        self.unfair |= is_unfair(&other);
        self.take(other.properties, confirmed, decides);
    }

    /// Takes in what another exploration found.
    fn add(&mut self, other: Exploration, confirmed: AllConfirmed, decides: &[usize]) {
        self.groups.extend(groups_of(self.states.len(), &other));
        self.unfair |= is_unfair(&other);
        self.states.push(states(&other));
        self.refused.extend(refused_of(&other));
        let mine = &mut self.exploration;
        if let Some(other) = &other.temporal {
            mine.temporal.get_or_insert_default().figures.add(&other.figures);
        }
        mine.states += other.states;
        mine.full_states = mine.full_states.or(other.full_states);
        mine.rules_fired += other.rules_fired;
        mine.per_rule.iter_mut().zip(&other.per_rule).for_each(|(mine, other)| *mine += other);
        mine.depth = mine.depth.max(other.depth);
        mine.limit = mine.limit.or(other.limit);
        mine.complete &= other.complete;
        mine.memory = mine.memory.max(other.memory);
        mine.missed = match (mine.missed, other.missed) {
            (Some(a), Some(b)) => Some((a + b).min(1.0)),
            (a, b) => a.or(b),
        };
        mine.unconfirmed = mine.unconfirmed.or(other.unconfirmed);
        for span in other.undefined_copies {
            if !mine.undefined_copies.contains(&span) {
                mine.undefined_copies.push(span);
            }
        }
        self.take(other.properties, confirmed, decides);
    }

    /// Takes over what was found of some properties.
    fn take(&mut self, properties: Vec<PropertyResult>, confirmed: AllConfirmed, decides: &[usize]) {
        let mine = &mut self.exploration;
        for (i, (result, confirmed)) in properties.into_iter().zip(confirmed).enumerate() {
            let takes = match result.index {
                Some(index) => decides.contains(&index),
                // What the model does not state is decided by all: the worst that one of them says.
                None => matches!(
                    (&mine.properties[i].known, &result.known),
                    (Known::Holds, _) | (Known::Unknown, Known::Violated(_))
                ),
            };
            if takes {
                mine.properties[i] = result;
                self.confirmed[i] = confirmed;
            }
        }
    }

    /// Notes that these properties were not decided.
    fn leave(&mut self, properties: &[usize], model: &Model) {
        self.states.push("0".to_owned());
        for property in &mut self.exploration.properties {
            if let Some(index) = property.index.filter(|index| properties.contains(index)) {
                property.kind = model.properties[index].kind;
                property.known = Known::Unknown;
            }
        }
    }
}

/// The same options, for what decision diagrams decide. No reduction: chaining over all states is mostly the best there is.
fn with_diagrams(options: &Options) -> Options {
    Options { engine: Engine::Bdd, reduce: Reduce::None, ..options.clone() }
}

/// The states that an exploration stored, in decimal.
fn states(exploration: &Exploration) -> String {
    exploration.diagrams.as_ref().map_or_else(|| exploration.states.to_string(), |d| d.states.clone())
}

/// The formulas that an exploration did not decide, and why.
fn refused_of(exploration: &Exploration) -> Vec<(usize, String)> {
    exploration.temporal.iter().flat_map(|temporal| temporal.refused.clone()).collect()
}

/// Whether a start state has no fair run.
fn is_unfair(exploration: &Exploration) -> bool {
    exploration.diagrams.as_ref().is_some_and(|diagrams| diagrams.temporal.unfair)
        || exploration.temporal.as_ref().is_some_and(|temporal| temporal.figures.unfair)
}

/// The smaller groups that an exploration used.
fn groups_of(run: usize, exploration: &Exploration) -> Vec<(usize, TemporalGroup)> {
    let groups = exploration.diagrams.iter().flat_map(|diagrams| &diagrams.temporal.groups);
    groups.map(|group| (run, group.clone())).collect()
}

/// The symmetry of ranges and enums, where it is wanted: in models that declare none, and where it is claimed. A liveness
/// property that follows a slot of a multiset forbids reduction.
pub(crate) fn looked_for(model: &Model, options: &Options) -> Option<Detection> {
    if options.unreduced() || follows_slots(model).is_some() {
        return None;
    }
    if options.detect == Detect::Auto && model.types.domains.is_empty() {
        return Some(detect(model));
    }
    let claimed: Vec<_> = model.claims.iter().map(|claim| claim.ty).collect();
    (!claimed.is_empty()).then(|| detect(model).only(&claimed))
}

/// The groups of the explorations and the properties that each decides: that of the rules, and those of properties that
/// are smaller. `common` is what some properties have in common.
fn groups<G: Clone + PartialEq>(
    options: &Options,
    steps: G,
    properties: Vec<G>,
    common: &dyn Fn(&[usize]) -> G,
) -> Vec<(G, Vec<usize>)> {
    let all: Vec<usize> = (0..properties.len()).collect();
    let mut groups: Vec<(G, Vec<usize>)> = vec![(steps, Vec::new())];
    for (property, group) in properties.into_iter().enumerate() {
        match groups.iter_mut().find(|(other, _)| *other == group) {
            Some((_, members)) => members.push(property),
            None => groups.push((group, vec![property])),
        }
    }
    // A checkpoint or certificate is of one exploration.
    let single = options.checkpoint.is_some() || options.resume.is_some() || options.certificate.is_some();
    if groups.len() > MOST_RUNS || (single && groups.len() > 1) {
        groups = vec![(common(&all), all)];
    }
    groups
}

/// The model with all properties but these made trivial.
pub(crate) fn deciding(mut model: Model, decides: &[usize]) -> Model {
    let temporal = decides.iter().any(|i| model.properties[*i].kind.logic().is_some());
    for (i, property) in model.properties.iter_mut().enumerate() {
        let needed = property.kind == PropertyKind::Fairness && temporal;
        if !decides.contains(&i) && property.kind != PropertyKind::Assume && !needed {
            make_trivial(property);
        }
    }
    model
}

/// Makes a property hold everywhere; it is decided elsewhere.
fn make_trivial(property: &mut Property) {
    if !property.is_statement() {
        // A fairness constraint is no property that is reported.
        if property.kind != PropertyKind::Fairness {
            property.kind = PropertyKind::Invariant;
        }
        property.formula = None;
        property.binders.clear();
        let (kind, ty, span) = (ExprKind::Const(1), Types::BOOL, property.span);
        property.condition = Some(Expr { kind, ty, span });
    }
}
