//! The one table of options and the ways to check: an option is used, or it is refused by name. None is ignored.
//!
//! A [`Way`] is an engine with a kind of reduction, as far as that matters to options. The command line asks for every
//! option that was given, also with its default value; the library asks for every field of [`Options`] that is not the
//! default ([`refusal_of`]).

use burnside_lang::{Kind, Language};
use burnside_sat::search::Method;
use burnside_symbolic::reduce::quotient;
use burnside_timed::check::Wanted;

use crate::{Canon, Counters, DeadlockMode, Detect, Engine, Options, Reduce, Semantics, engines};

/// A way to check a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// State by state, with verified symmetry.
    Explicit,
    /// State by state, every state.
    Unreduced,
    /// State by state, with the remaining symmetry of each state.
    Adaptive,
    /// Decision diagrams of all states.
    Diagrams,
    /// Decision diagrams of representatives, by a relation between states.
    Related,
    /// Decision diagrams of representatives that are sorted.
    Sorted,
    /// Decision diagrams of representatives that are chosen as they are found.
    OnTheFly,
    /// Numbers of elements, as diagrams.
    Counting,
    /// Numbers of elements, one population after the other.
    OneByOne,
    /// Questions to a SAT solver.
    Sat,
    /// Timed automata.
    Zones,
    /// Probabilistic models.
    Chains,
    /// Any number of threads.
    Coverability,
    /// An engine of a caller of the library.
    Custom,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 14] = [
        Way::Explicit,
        Way::Unreduced,
        Way::Adaptive,
        Way::Diagrams,
        Way::Related,
        Way::Sorted,
        Way::OnTheFly,
        Way::Counting,
        Way::OneByOne,
        Way::Sat,
        Way::Zones,
        Way::Chains,
        Way::Coverability,
        Way::Custom,
    ];

    /// The way that options ask for, of a model of some kind.
    #[must_use]
    pub fn of(options: &Options, kind: Kind) -> Way {
        match (options.engine, options.reduce) {
            (Engine::Custom(_), _) => Way::Custom,
            _ if kind == Kind::Timed => Way::Zones,
            _ if kind == Kind::Chance => Way::Chains,
            _ if kind == Kind::Threads => Way::Coverability,
            (Engine::Count, _) if options.counters == Counters::Explicit => Way::OneByOne,
            (Engine::Count, _) => Way::Counting,
            (Engine::Sat, _) => Way::Sat,
            (Engine::Bdd, Reduce::OnTheFly) => Way::OnTheFly,
            (Engine::Bdd, Reduce::Diagrams(kind)) if kind.sorts() => Way::Sorted,
            (Engine::Bdd, Reduce::Diagrams(_)) => Way::Related,
            (Engine::Bdd, _) => Way::Diagrams,
            (_, Reduce::None) => Way::Unreduced,
            (_, Reduce::Adaptive) => Way::Adaptive,
            _ => Way::Explicit,
        }
    }

    /// The kind of models it is for; an engine of a caller may be for any.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Way::Zones => Kind::Timed,
            Way::Chains => Kind::Chance,
            Way::Coverability => Kind::Threads,
            _ => Kind::Rules,
        }
    }

    /// The options that choose it.
    #[must_use]
    pub fn chosen_by(self) -> &'static [&'static str] {
        match self {
            Way::Explicit | Way::Zones | Way::Chains | Way::Coverability | Way::Custom => &[],
            Way::Unreduced => &["--reduce", "none"],
            Way::Adaptive => &["--reduce", "adaptive"],
            Way::Diagrams => &["--engine", "bdd"],
            Way::Related => &["--engine", "bdd", "--reduce", "orbit-relation"],
            Way::Sorted => &["--engine", "bdd", "--reduce", "dynamic"],
            Way::OnTheFly => &["--engine", "bdd", "--reduce", "on-the-fly"],
            Way::Counting => &["--engine", "count"],
            Way::OneByOne => &["--engine", "count", "--counters", "explicit"],
            Way::Sat => &["--engine", "sat"],
        }
    }

    /// How a message refers to it.
    fn said(self) -> &'static str {
        match self {
            Way::Explicit => "`--engine explicit`",
            Way::Unreduced => "`--reduce none`",
            Way::Adaptive => "`--reduce adaptive`",
            Way::Diagrams | Way::Related | Way::Sorted => "`--engine bdd`",
            Way::OnTheFly => "`--reduce on-the-fly`",
            Way::Counting | Way::OneByOne => "`--engine count`",
            Way::Sat => "`--engine sat`",
            Way::Zones | Way::Chains | Way::Coverability => self.kind().of_models(),
            Way::Custom => "this engine",
        }
    }
}

use Way::{Adaptive, Counting, Diagrams, Explicit, OnTheFly, OneByOne, Related, Sat, Sorted, Unreduced};

/// State by state, and what is stored is a state or a representative.
const BY_STATE: &[Way] = &[Explicit, Unreduced];
/// With decision diagrams.
const BDD: &[Way] = &[Diagrams, Related, Sorted, OnTheFly];
/// Models without clocks.
const UNTIMED: &[Way] = &[
    Explicit,
    Unreduced,
    Adaptive,
    Diagrams,
    Related,
    Sorted,
    OnTheFly,
    Counting,
    OneByOne,
    Sat,
    Way::Custom,
];
/// Where rules are counted.
const COUNTS_RULES: &[Way] =
    &[Explicit, Unreduced, Adaptive, Diagrams, Related, Sorted, OnTheFly, OneByOne, Way::Custom];
/// Where there are levels; diagrams may refuse a bound for another reason.
const LEVELS: &[Way] =
    &[Explicit, Unreduced, Adaptive, Diagrams, Related, Sorted, OnTheFly, OneByOne, Sat, Way::Custom];

/// Every way but that of threads, which have no constants and no symmetry that could be chosen.
const BUT_THREADS: &[Way] = &[
    Explicit,
    Unreduced,
    Adaptive,
    Diagrams,
    Related,
    Sorted,
    OnTheFly,
    Counting,
    OneByOne,
    Sat,
    Way::Zones,
    Way::Chains,
    Way::Custom,
];
/// Where runs are shown.
const RUNS: &[Way] = &[
    Explicit,
    Unreduced,
    Adaptive,
    Diagrams,
    Related,
    Sorted,
    OnTheFly,
    Counting,
    OneByOne,
    Sat,
    Way::Zones,
    Way::Coverability,
    Way::Custom,
];

/// A row: the option, the ways that use it, and what it needs elsewhere, if that is said in one word.
type Row = (&'static str, &'static [Way], Option<&'static str>);

/// The table.
pub const TABLE: &[Row] = &[
    ("-D", BUT_THREADS, None),
    ("--language", &Way::ALL, None),
    ("--queries", &[Way::Zones, Way::Coverability], None),
    ("--only", &[Way::Zones], None),
    ("--run", &[Way::Zones], None),
    ("--processes-max", UNTIMED, None),
    ("--init", &[Way::Coverability], None),
    ("--target", &[Way::Coverability], None),
    ("--property", &[Way::Chains], None),
    ("--const", &[Way::Chains], None),
    ("--exact", &[Way::Chains], None),
    ("--precision", &[Way::Chains], None),
    // Each kind of models has engines of its own.
    ("--engine", &Way::ALL, None),
    // With timed and probabilistic models, only `auto` and `none`.
    ("--reduce", BUT_THREADS, None),
    ("--detect", BUT_THREADS, None),
    ("--trust-symmetry", &[Explicit, OnTheFly], None),
    ("--symmetry-file", UNTIMED, None),
    ("--canon", &[Explicit], None),
    ("--order", BDD, Some("`--engine bdd`")),
    ("--reorder", BDD, Some("`--engine bdd`")),
    ("--relation", BDD, Some("`--engine bdd`")),
    ("--local-order", &[Sorted, Related], Some("`--engine bdd`")),
    ("--search", &[Diagrams, Related, Sorted, Way::Zones], Some("`--engine bdd`")),
    ("--alpha", &[Sorted], Some("`--engine bdd`")),
    ("--sigma-steps", &[OnTheFly], Some("`--engine bdd`")),
    ("--under", &[OnTheFly], Some("`--engine bdd`")),
    ("--counters", &[Counting, OneByOne], Some("`--engine count`")),
    ("--method", &[Sat], Some("`--engine sat`")),
    ("--threads", &[Explicit, Unreduced, OneByOne, Way::Zones, Way::Chains], None),
    ("--compact", BY_STATE, None),
    ("--checkpoint", BY_STATE, None),
    ("--checkpoint-every", BY_STATE, None),
    ("--resume", BY_STATE, None),
    ("--certificate", BY_STATE, None),
    ("--certificate-states", BY_STATE, None),
    ("--memory", &Way::ALL, None),
    ("--time", &Way::ALL, None),
    ("--bound", LEVELS, None),
    ("--deadlock", UNTIMED, None),
    ("--undefined", UNTIMED, None),
    ("--loop-limit", UNTIMED, None),
    ("--max-errors", UNTIMED, None),
    ("--rule-stats", COUNTS_RULES, None),
    ("--trace", RUNS, None),
    ("--json", &Way::ALL, None),
    ("--html", &Way::ALL, None),
    ("--format", &Way::ALL, None),
    ("--expect", &Way::ALL, None),
    ("--progress", &Way::ALL, None),
    ("--sweep", BUT_THREADS, None),
    ("--repeat", BUT_THREADS, None),
    ("--write", BUT_THREADS, None),
    ("--allow-empty", &Way::ALL, None),
    ("--quiet", &Way::ALL, None),
];

/// The options that only some languages have.
pub const OF_LANGUAGES: &[(&str, &[Language])] = &[
    ("--queries", &[Language::Uppaal, Language::Tts]),
    ("--only", &[Language::Uppaal]),
    ("--run", &[Language::Uppaal]),
    ("--processes-max", &[Language::Promela]),
    ("--init", &[Language::Tts]),
    ("--target", &[Language::Tts, Language::Boolean]),
    ("--property", &[Language::Prism]),
    ("--const", &[Language::Prism]),
    ("--exact", &[Language::Prism]),
    ("--precision", &[Language::Prism]),
    ("--symmetry-file", &[Language::Murphi]),
];

/// Why an option is refused for a language; nothing if it is not.
#[must_use]
pub fn refusal_for(option: &str, language: Language) -> Option<String> {
    let (_, languages) = OF_LANGUAGES.iter().find(|(name, _)| *name == option)?;
    let of: Vec<&str> = languages.iter().map(|language| language.of_models()).collect();
    let refused = !languages.contains(&language);
    refused.then(|| format!("`{option}` is for {} only", of.join(" and ")))
}

/// Why an option is refused; nothing if it is used. An option that is not in the table is refused everywhere.
#[must_use]
pub fn refusal(option: &str, way: Way) -> Option<String> {
    let row = TABLE.iter().find(|(name, ..)| *name == option);
    if row.is_some_and(|(_, ways, _)| ways.contains(&way)) {
        return None;
    }
    let bdd = |way: Way| BDD.contains(&way);
    Some(match (option, row.and_then(|(_, _, needs)| *needs), way) {
        ("--alpha", _, way) if bdd(way) => {
            "`--alpha` needs `--reduce dynamic`, `component` or `component+state`".to_owned()
        }
        ("--sigma-steps" | "--under", _, way) if bdd(way) => {
            format!("`{option}` needs `--reduce on-the-fly`")
        }
        ("--local-order", _, way) if bdd(way) => {
            "`--local-order` needs a `--reduce` that orders local states".to_owned()
        }
        ("--canon", _, Unreduced) => {
            "`--canon` chooses representatives of orbits, and `--reduce none` has none".to_owned()
        }
        ("--trust-symmetry", _, Unreduced) => {
            "`--trust-symmetry` is about symmetry, and `--reduce none` uses none".to_owned()
        }
        (_, _, way) if way.kind() != Kind::Rules => format!("`{option}` is not for {}", way.said()),
        (_, Some(needs), way) if !bdd(way) => format!("`{option}` needs {needs}"),
        _ => format!("`{option}` is not possible with {}", way.said()),
    })
}

/// Why some options are refused in a language: the first reason.
#[must_use]
pub fn refusal_of(options: &Options, language: Language, way: Way) -> Option<String> {
    let of_language = given(options).find_map(|option| refusal_for(option, language));
    of_language.or_else(|| refusal_by(options, way))
}

/// The options that are not as they are by default.
fn given(options: &Options) -> impl Iterator<Item = &'static str> {
    let plain = Options::default();
    let (semantics, limits) = (Semantics::default(), &options.limits);
    let diagrams = &options.diagrams;
    let given = [
        ("-D", !options.constants.is_empty()),
        ("--queries", options.queries.is_some() && options.queries_given),
        ("--only", !options.only.is_empty()),
        ("--processes-max", options.processes_max.is_some()),
        ("--init", options.init.is_some()),
        ("--target", options.target.is_some()),
        ("--property", !options.properties.is_empty()),
        ("--exact", options.exact),
        ("--precision", options.precision.is_some()),
        ("--detect", options.detect != Detect::default()),
        ("--run", options.run != Wanted::First),
        ("--trust-symmetry", options.trust_symmetry),
        ("--canon", options.canon != Canon::default()),
        ("--order", diagrams.order != plain.diagrams.order),
        ("--reorder", diagrams.reorder),
        ("--relation", diagrams.monolithic || diagrams.quotient),
        ("--local-order", !diagrams.local_order.is_empty()),
        ("--sigma-steps", diagrams.sigma_steps.is_some()),
        ("--under", diagrams.under.is_some()),
        ("--counters", options.counters != Counters::Auto),
        ("--method", options.method != Method::default()),
        ("--compact", options.compact),
        ("--checkpoint", options.checkpoint.is_some()),
        ("--resume", options.resume.is_some()),
        ("--certificate", options.certificate.is_some()),
        ("--bound", limits.bound.is_some()),
        ("--max-errors", limits.max_errors != 1),
        ("--deadlock", options.deadlock != DeadlockMode::default()),
        ("--undefined", options.semantics.undefined != semantics.undefined),
        ("--loop-limit", options.semantics.loop_limit != semantics.loop_limit),
    ];
    given.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)
}

/// Why some options are refused by a way to check: the first reason.
#[must_use]
pub fn refusal_by(options: &Options, way: Way) -> Option<String> {
    if let Some(refused) = given(options).find_map(|option| refusal(option, way)) {
        return Some(refused);
    }
    let diagrams = &options.diagrams;
    let unreduced = options.reduce == Reduce::None && way != Way::Coverability;
    let reduces = options.reduce != Reduce::Auto && !unreduced;
    let kind = match options.engine {
        Engine::Auto | Engine::Custom(_) => None,
        chosen => Some(engines::of(chosen, way.kind()).explores()),
    };
    match (way, options.reduce) {
        (way, _) if kind.is_some_and(|kind| kind != way.kind()) => {
            let (name, of) = (options.engine.name().unwrap_or_default(), way.kind().of_models());
            Some(format!("`--engine {name}` is not for {of}"))
        }
        (way, _) if reduces && way.kind() != Kind::Rules => {
            Some(format!("this `--reduce` is not for {}", way.said()))
        }
        (Sat, Reduce::Adaptive | Reduce::Diagrams(_) | Reduce::OnTheFly) => {
            Some("`--engine sat` reduces by `representatives`, `auto` or `none`".to_owned())
        }
        (Sat, Reduce::Representatives) if options.method == Method::Ic3 => {
            Some("`--reduce representatives` is for bounded search and induction".to_owned())
        }
        (Sat, Reduce::Representatives) if options.method == Method::Auto && options.limits.bound.is_none() => {
            Some("`--reduce representatives` is for bounded search and induction: it needs `--bound` or `--method`".to_owned())
        }
        (Sat, _) if options.method == Method::Ic3 && options.limits.bound.is_some() => {
            Some("`--bound` is not possible with `--method ic3`".to_owned())
        }
        (way, Reduce::Representatives) if way != Sat => {
            Some("`--reduce representatives` needs `--engine sat`".to_owned())
        }
        (Explicit, Reduce::OnTheFly) => Some("`--reduce on-the-fly` needs `--engine bdd`".to_owned()),
        (Explicit, Reduce::Diagrams(kind)) => {
            Some(format!("`--reduce {}` needs `--engine bdd`", kind.name()))
        }
        (Counting | OneByOne, Reduce::None) => {
            Some("`--reduce none` is not possible with `--engine count`".to_owned())
        }
        (Counting | OneByOne | Diagrams, Reduce::Adaptive) => {
            Some(format!("`--reduce adaptive` is not possible with {}", way.said()))
        }
        (Related, Reduce::Diagrams(kind))
            if !diagrams.local_order.is_empty() && kind != quotient::Kind::MultipleRepresentatives =>
        {
            Some("`--local-order` needs a `--reduce` that orders local states".to_owned())
        }
        _ if options.depth_first && way != Way::Zones => {
            Some("`--search dfs` is for timed models only".to_owned())
        }
        _ => None,
    }
}
