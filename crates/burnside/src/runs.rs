//! Which explorations a model needs.
//!
//! A model with declared scalarsets, or without any symmetry, needs one. Where symmetry was detected or claimed, the
//! model is explored with the values that are interchangeable as elements of symmetry domains; a property that tells
//! more of them apart gets an exploration of its own under the smaller group, shared by all properties with that group.
//!
//! A quantifier over elements evaluates all its instances, over a plain range only until it is decided. So long as
//! nothing goes wrong at run time both are the same. If something does, it counts only if it goes wrong in the model as
//! it is, too, and ended the search; otherwise the model is explored once more as it is.

use burnside_lang::Kind;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::system::{Property, PropertyKind};
use burnside_model::{Model, Network, Span};
use burnside_report::Stored;
use burnside_symmetry::Claimed;
use burnside_symmetry::detect::{Blocks, Detection, Named, detect};
use burnside_symmetry::verify::Refusal;
use burnside_timed::classes::{Classes, QueryClass};

use crate::claims;
use crate::engines;
use crate::plan::{Plan, follows_slots};
use crate::rounds::interleaves;
use crate::{Canon, Detect, Engine, Options, Reduce};

/// The most explorations; more groups than that are met in one.
const MOST_RUNS: usize = 4;

/// One exploration.
pub(crate) struct Planned {
    /// The model with symmetry domains attached, and with the properties that are not decided here made trivial.
    pub model: Model,
    /// How it is explored.
    pub plan: Plan,
    /// The timed automata, if it is a timed model.
    pub network: Option<Network>,
    /// The stated properties that it decides.
    pub decides: Vec<usize>,
    /// What explores it.
    pub engine: &'static dyn engines::Engine,
    /// What it is asked to do.
    pub options: Options,
}

impl Planned {
    /// An exploration of a model that decides some of its properties, as the options say.
    fn new(model: Model, plan: Plan, decides: Vec<usize>, options: &Options) -> Planned {
        let adapts = plan.partial.is_some() || options.reduce == Reduce::Adaptive;
        let engine = match options.engine {
            Engine::Custom(custom) => custom.0,
            Engine::Auto | Engine::Explicit | Engine::Interpreter if adapts => &engines::Adaptive,
            chosen => engines::of(chosen, Kind::Rules),
        };
        Planned { model, network: None, plan, decides, engine, options: options.clone() }
    }

    /// The same for all properties.
    fn whole(model: Model, plan: Plan, options: &Options) -> Planned {
        let decides = (0..model.properties.len()).collect();
        Planned::new(model, plan, decides, options)
    }

    /// The engine's name: an adaptive search is one of the explicit engine.
    pub fn engine_name(&self) -> &'static str {
        match (self.engine.name(), self.options.engine) {
            ("adaptive", Engine::Interpreter) => "interpreter",
            ("adaptive", _) => "explicit",
            (name, _) => name,
        }
    }

    /// What the stored states are.
    pub fn stored(&self) -> Stored {
        let Plan { partial, on_the_fly, domains, canon, .. } = &self.plan;
        match self.options.engine {
            _ if partial.is_some() => Stored::AbstractStates,
            _ if on_the_fly.is_some() => Stored::Representatives,
            Engine::Sat => Stored::Nothing,
            _ if domains.is_empty() => Stored::States,
            Engine::Count => Stored::Counts,
            Engine::Bdd => Stored::Representatives,
            _ if *canon == Canon::Flood => Stored::WholeOrbits,
            _ => Stored::Representatives,
        }
    }

    /// The reduction's name.
    pub fn reduction(&self) -> &'static str {
        self.plan.reduction(&self.options, self.network.is_some())
    }
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
    pub watched: bool,
    /// Of a timed model: the queries by the symmetry that they leave, some of which are answered by others.
    pub classes: Option<Classes>,
}

impl Runs {
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
        let watched = claimed.watched;
        let planned = vec![Planned::whole(claimed.model, plan, options)];
        Some(Runs {
            planned,
            derived: "claimed",
            watched,
            detection: None,
            warnings,
            alike: Vec::new(),
            classes: None,
        })
    }

    /// One exploration of the model as it is, with whatever may be a symmetry.
    fn on_the_fly(model: &Model, options: &Options) -> Runs {
        let plan = Plan::on_the_fly(model, options);
        let planned = vec![Planned::whole(model.clone(), plan, options)];
        let (warnings, alike) = (Vec::new(), Vec::new());
        Runs { planned, derived: "none", watched: false, detection: None, warnings, alike, classes: None }
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
        let planned = vec![Planned::whole(attached, plan, options)];
        let derived = claims::derived(model, detection);
        let watched = detection.candidates_watched;
        Some(Runs {
            planned,
            derived,
            watched,
            detection: None,
            warnings: Vec::new(),
            alike: Vec::new(),
            classes: None,
        })
    }

    /// One exploration of the model as it is.
    pub fn plain(model: &Model, options: &Options, adapts: bool) -> Runs {
        let plan = Plan::new(model, options, adapts);
        let derived = if model.types.domains.is_empty() { "none" } else { "declared" };
        let planned = vec![Planned::whole(model.clone(), plan, options)];
        Runs {
            planned,
            derived,
            watched: false,
            detection: None,
            warnings: Vec::new(),
            alike: Vec::new(),
            classes: None,
        }
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
        let within = |small: &Vec<_>, large: &Vec<_>| small.iter().all(|generator| large.contains(generator));
        let shared = Shared { common: &|all: &[usize]| named.generators(all), within: &within };
        let groups = groups(model, options, named.generators(&[]), of_properties, &shared);
        // What has to be explored as it is decides everything.
        if groups.iter().any(|(generators, _)| generators.is_empty()) {
            return None;
        }
        let planned = groups.into_iter().map(|(generators, decides)| {
            let plan = Plan::between_named(&named.domains, generators, options);
            Planned::new(deciding(named.model.clone(), &decides), plan, decides, options)
        });
        let planned: Vec<Planned> = planned.collect();
        let (watched, alike) = (named.watched, named.rule_orbits());
        let (detection, warnings) = (None, Vec::new());
        Some(Runs { planned, derived: "detected", watched, detection, warnings, alike, classes: None })
    }

    fn detected(model: &Model, options: &Options, detection: &Detection) -> Runs {
        let shared = Shared { common: &|all: &[usize]| detection.common(all), within: &is_finer };
        let groups = groups(model, options, detection.blocks.clone(), detection.properties.clone(), &shared);
        let planned = groups.into_iter().map(|(blocks, decides)| {
            let model = deciding(detection.attach(&blocks), &decides);
            let plan = Plan::new(&model, options, false);
            Planned::new(model, plan, decides, options)
        });
        let derived = claims::derived(model, detection);
        Runs {
            planned: planned.collect(),
            derived,
            watched: detection.watched,
            detection: None,
            warnings: Vec::new(),
            alike: Vec::new(),
            classes: None,
        }
    }

    /// The explorations of a timed model, one for each group that queries leave; `detects` if the ranges of parameters may
    /// be taken for scalars.
    pub fn timed(network: &Network, options: &Options, detects: bool) -> Runs {
        let classes = query_classes(network, options, detects);
        let mut planned: Vec<Planned> =
            classes.classes.iter().map(|class| Runs::of_class(class, options)).collect();
        let mut warnings: Vec<Diagnostic> = Vec::new();
        for refusal in classes.classes.iter().flat_map(|class| &class.refusals) {
            let warning = not_used(network, refusal, refusal.span);
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        if let Some(first) = planned.first_mut() {
            first.plan.warnings = warnings;
        }
        let watched = classes.classes.iter().any(|class| class.detected);
        let derived = match classes.classes.first() {
            Some(class) if class.detected => "detected",
            _ => "declared",
        };
        let (detection, warnings, alike) = (None, Vec::new(), Vec::new());
        Runs { planned, derived, watched, detection, warnings, alike, classes: Some(classes) }
    }

    /// The one exploration of what has no rules.
    pub fn single(model: &Model, kind: Kind, options: &Options) -> Runs {
        let plan = Plan::verified(Vec::new(), Vec::new(), options);
        let mut planned = Planned::whole(model.clone(), plan, options);
        planned.engine = engines::of(options.engine, kind);
        Runs {
            planned: vec![planned],
            derived: "none",
            watched: false,
            detection: None,
            warnings: Vec::new(),
            alike: Vec::new(),
            classes: None,
        }
    }

    /// The exploration for some queries of a timed model.
    pub fn of_class(class: &QueryClass, options: &Options) -> Planned {
        let plan = Plan::verified(class.domains.clone(), Vec::new(), options);
        let mut planned = Planned::new(class.network.model.clone(), plan, class.queries.clone(), options);
        planned.engine = engines::of(options.engine, Kind::Timed);
        planned.network = Some(class.network.clone());
        planned
    }

    /// An exploration with decision diagrams of what other engines did not decide. No reduction: chaining over all states
    /// is mostly the best there is.
    pub fn with_diagrams(model: &Model, decides: Vec<usize>, options: &Options) -> Planned {
        let options = Options { engine: Engine::Bdd, reduce: Reduce::None, ..options.clone() };
        let plan = Plan::new(model, &options, false);
        Planned::new(deciding(model.clone(), &decides), plan, decides, &options)
    }
}

/// The queries of a timed model by the symmetry that they leave, the most of it first; without reduction all together.
pub(crate) fn query_classes(network: &Network, options: &Options, detects: bool) -> Classes {
    let mut classes = Classes::new(network, !options.unreduced(), detects && options.detect == Detect::Auto);
    classes.classes.sort_by_cached_key(|class| std::cmp::Reverse((class.order().len(), class.order())));
    classes
}

/// Why a declared domain of a timed model is not used.
pub(crate) fn not_used(network: &Network, refusal: &Refusal, span: Span) -> Diagnostic {
    let name = &network.model.types.domain(refusal.domain).name;
    let message = format!("the scalars of `{name}` are not used for reduction: {}", refusal.reason);
    Diagnostic::warning(codes::SYMMETRY_REFUSED, span, message)
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

/// How groups relate.
struct Shared<'g, G> {
    /// What some properties have in common.
    common: &'g dyn Fn(&[usize]) -> G,
    /// Whether one is certainly contained in another.
    within: &'g dyn Fn(&G, &G) -> bool,
}

/// The groups of the explorations and the properties that each decides: that of the rules, and those of properties that
/// are smaller. Where explorations take turns, each also decides the properties of the groups that contain its own.
fn groups<G: Clone + PartialEq>(
    model: &Model,
    options: &Options,
    steps: G,
    properties: Vec<G>,
    shared: &Shared<'_, G>,
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
        return vec![((shared.common)(&all), all)];
    }
    if groups.len() > 1 && interleaves(model, options) {
        let own = groups.clone();
        for (number, (group, members)) in groups.iter_mut().enumerate() {
            // The rules leave the largest.
            let contains = |other: usize| other == 0 || (shared.within)(group, &own[other].0);
            let others = (0..own.len()).filter(|other| *other != number && contains(*other));
            members.extend(others.flat_map(|other| own[other].1.iter().copied()));
            members.sort_unstable();
        }
    }
    groups
}

/// Whether values that are interchangeable in some blocks are so in others, too.
fn is_finer(fine: &Blocks, coarse: &Blocks) -> bool {
    let inside = |block: &Vec<i64>, coarse: &[Vec<i64>]| {
        coarse.iter().any(|large| block.iter().all(|value| large.contains(value)))
    };
    fine.iter().zip(coarse).all(|(fine, coarse)| fine.iter().all(|block| inside(block, coarse)))
}

/// The model with these properties to decide, and no others.
pub(crate) fn deciding(mut model: Model, decides: &[usize]) -> Model {
    let temporal = decides.iter().any(|i| model.properties[*i].kind.logic().is_some());
    for (i, property) in model.properties.iter_mut().enumerate() {
        let needed = property.kind == PropertyKind::Fairness && temporal;
        if !decides.contains(&i) && property.kind != PropertyKind::Assume && !needed {
            leave_out(property);
        }
    }
    model
}

/// Takes a property out of the list of those that are decided; what statements claim stays where it is.
fn leave_out(property: &mut Property) {
    if !property.is_statement() {
        property.kind = PropertyKind::Elsewhere;
        property.formula = None;
        property.condition = None;
        property.binders.clear();
    }
}
