//! The ways to check a model that `compare` knows: an engine with a reduction is one line here.

use burnside::ModelKind;

/// An engine with a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The engine, as `check --engine` takes it.
    pub engine: &'static str,
    /// The reduction, as it is named in the table and in `compare --reduce`.
    pub reduction: &'static str,
    /// The options of `check` that choose it.
    pub options: &'static [&'static str],
    /// Whether it is compared without being asked for.
    usual: bool,
}

const fn usual(engine: &'static str, reduction: &'static str, options: &'static [&'static str]) -> Variant {
    Variant { engine, reduction, options, usual: true }
}

const fn on_request(
    engine: &'static str,
    reduction: &'static str,
    options: &'static [&'static str],
) -> Variant {
    Variant { engine, reduction, options, usual: false }
}

/// All of them, each engine beginning with no reduction if it can do without.
pub const VARIANTS: &[Variant] = &[
    usual("explicit", "none", &["--reduce", "none"]),
    usual("explicit", "auto", &["--reduce", "auto"]),
    usual("explicit", "adaptive", &["--reduce", "adaptive"]),
    on_request("explicit", "exhaustive", &["--canon", "exhaustive"]),
    on_request("explicit", "sorted", &["--canon", "sorted"]),
    on_request("explicit", "segmented", &["--canon", "segmented"]),
    on_request("explicit", "first-seen", &["--canon", "first-seen", "--threads", "1"]),
    on_request("explicit", "flood", &["--canon", "flood", "--threads", "1"]),
    on_request("explicit", "markers", &["--canon", "markers", "--threads", "1"]),
    on_request("explicit", "local-search", &["--canon", "local-search"]),
    usual("interpreter", "none", &["--reduce", "none"]),
    usual("interpreter", "auto", &["--reduce", "auto"]),
    usual("bdd", "none", &["--reduce", "none"]),
    usual("bdd", "orbit-relation", &["--reduce", "orbit-relation"]),
    usual("bdd", "multiple-representatives", &["--reduce", "multiple-representatives"]),
    usual("bdd", "dynamic", &["--reduce", "dynamic"]),
    usual("bdd", "component", &["--reduce", "component"]),
    usual("bdd", "component+state", &["--reduce", "component+state"]),
    usual("bdd", "on-the-fly", &["--reduce", "on-the-fly"]),
    on_request("bdd", "orbit-relation-quotient", &["--reduce", "orbit-relation", "--relation", "quotient"]),
    on_request(
        "bdd",
        "multiple-representatives-quotient",
        &["--reduce", "multiple-representatives", "--relation", "quotient"],
    ),
    on_request("bdd", "dynamic-bubble", &["--reduce", "dynamic", "--alpha", "bubble", "--search", "bfs"]),
    on_request("bdd", "component-bubble", &["--reduce", "component", "--alpha", "bubble"]),
    on_request("bdd", "component+state-bubble", &["--reduce", "component+state", "--alpha", "bubble"]),
    usual("count", "counting", &["--counters", "diagram"]),
    usual("count", "counters", &["--counters", "explicit"]),
    usual("count", "counters-bdd", &["--counters", "bdd"]),
    usual("sat", "none", &["--reduce", "none"]),
    usual("sat", "orbit-clauses", &["--reduce", "auto"]),
    usual("zones", "none", &["--reduce", "none"]),
    usual("zones", "auto", &["--reduce", "auto"]),
    usual("chains", "none", &["--reduce", "none"]),
    usual("chains", "auto", &["--reduce", "auto"]),
    on_request("chains", "exact", &["--exact"]),
    usual("coverability", "counting", &[]),
];

/// The kind of models that an engine is for.
fn kind(variant: &Variant) -> ModelKind {
    match variant.engine {
        "zones" => ModelKind::Timed,
        "chains" => ModelKind::Chance,
        "coverability" => ModelKind::Threads,
        _ => ModelKind::Rules,
    }
}

/// The variants with these engines and these reductions; with no reductions named, those that are usual. An error is a
/// name that there is not.
pub fn chosen(engines: &[String], reductions: &[String], of: ModelKind) -> Result<Vec<Variant>, String> {
    for (names, what, of) in [
        (engines, "engine", (|variant: &Variant| variant.engine) as fn(&Variant) -> &str),
        (reductions, "reduction", |variant| variant.reduction),
    ] {
        for name in names {
            if !VARIANTS.iter().any(|variant| of(variant) == name) {
                let mut known: Vec<&str> = VARIANTS.iter().map(of).collect();
                known.sort_unstable();
                known.dedup();
                return Err(format!("there is no {what} `{name}`; there are {}", known.join(", ")));
            }
        }
    }
    let named = |names: &[String], name: &str| names.iter().any(|known| known == name);
    let wanted = |variant: &&Variant| {
        kind(variant) == of
            && (engines.is_empty() || named(engines, variant.engine))
            && if reductions.is_empty() { variant.usual } else { named(reductions, variant.reduction) }
    };
    let chosen: Vec<Variant> = VARIANTS.iter().filter(wanted).copied().collect();
    if chosen.is_empty() { Err("no engine has any of these reductions".to_owned()) } else { Ok(chosen) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(engines: &[&str], reductions: &[&str]) -> Result<Vec<String>, String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let chosen = chosen(&owned(engines), &owned(reductions), ModelKind::Rules)?;
        Ok(chosen.iter().map(|variant| format!("{} {}", variant.engine, variant.reduction)).collect())
    }

    #[test]
    fn variants_are_chosen_by_name() {
        assert_eq!(names(&["interpreter"], &[]).unwrap(), ["interpreter none", "interpreter auto"]);
        assert_eq!(names(&[], &["flood"]).unwrap(), ["explicit flood"]);
        assert!(!names(&[], &[]).unwrap().contains(&"explicit flood".to_owned()));
        assert!(names(&[], &["best"]).unwrap_err().contains("no reduction `best`; there are adaptive, "));
        assert!(names(&["quantum"], &[]).unwrap_err().contains("no engine `quantum`"));
        assert!(names(&["interpreter"], &["flood"]).is_err());
    }

    #[test]
    fn an_engine_begins_with_no_reduction() {
        for (at, variant) in VARIANTS.iter().enumerate() {
            let first = VARIANTS.iter().position(|other| other.engine == variant.engine);
            let plain = VARIANTS[first.unwrap()].reduction;
            assert!(plain == "none" || matches!(variant.engine, "count" | "coverability"));
            let same =
                |other: &Variant| (other.engine, other.reduction) == (variant.engine, variant.reduction);
            assert!(!VARIANTS[..at].iter().any(same), "{variant:?} is there twice");
        }
    }
}
