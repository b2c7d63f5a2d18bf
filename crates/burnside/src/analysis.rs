//! What is symmetric in a model, what breaks it and where: `burnside symmetry`.

use std::time::Duration;

use burnside_chance::symmetry as chance;
use burnside_lang::Chains;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, TypeId, Types};
use burnside_model::system::{Binder, Rule};
use burnside_report::generators::GeneratorReport;
use burnside_report::symmetry::{Analysis, Factor, Orbit, PropertyGroup};
use burnside_report::{Place, SymmetryReport, Warning};
use burnside_symmetry::Action;
use burnside_symmetry::detect::{Break, Detection};
use burnside_symmetry::verify::Refusal;

use crate::runs::{Planned, Runs};
use crate::subject::{Beyond, Subject};
use crate::{
    Detect, Engine, Failure, Limits, Options, Reduce, check, group, load, on_large_stack, timed_symmetry,
};

/// So many places that break the symmetry of one type are shown.
const MOST_BREAKS: usize = 6;

/// Finds the symmetry of a model without exploring it, and judges the generators that are claimed.
pub fn symmetry(source: &Source, options: &Options) -> Result<Analysis, Failure> {
    on_large_stack("symmetry", || analyse(source, options))
        .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

fn analyse(source: &Source, options: &Options) -> Result<Analysis, Failure> {
    let (Subject { model, beyond }, diagnostics) = load(source, options)?;
    match &beyond {
        Beyond::Rules => {}
        Beyond::Network(network) => {
            return timed_symmetry::symmetry(source, options, network, &diagnostics);
        }
        Beyond::Chains(chains) => return of_chains(source, options, chains),
        Beyond::Threads(_) => return Ok(of_threads(source)),
    }
    let runs = Runs::choose(&model, options, false);
    let view = View { source, options, model: &model, runs: &runs };
    let mut analysis = view.analysis(&diagnostics);
    analysis.symmetry.judged = judged(source, options, &model);
    Ok(analysis)
}

/// The symmetry of a probabilistic model, and what its rewards leave of it.
fn of_chains(source: &Source, options: &Options, chains: &Chains) -> Result<Analysis, Failure> {
    let Ok(model) = &chains.first.model else {
        return Err(Failure::Internal("a model that was not read".to_owned()));
    };
    let mut chance = chance::Subject::new(model);
    let (found, broken) =
        if options.detect == Detect::Auto { chance.find(&[], &[]) } else { (None, Vec::new()) };
    let mut analysis = Analysis { model: source.name().to_owned(), ..Analysis::default() };
    let trivial = || ("trivial".to_owned(), "1".to_owned());
    let group = |found: &Option<chance::Found>| {
        found.as_ref().map_or_else(trivial, |found| (found.structure.clone(), found.order.clone()))
    };
    let (structure, order) = group(&found);
    for (index, reward) in model.rewards.iter().enumerate().filter(|_| found.is_some()) {
        let (structure, left) = group(&chance.find(&[], &[index as u32]).0);
        if left != order {
            let property = format!("rewards \"{}\"", reward.name);
            analysis.properties.push(PropertyGroup { property, structure, order: left });
        }
    }
    analysis.symmetry = SymmetryReport {
        generators: found.as_ref().map(|found| found.words.clone()).unwrap_or_default(),
        derived: if found.is_some() { "detected" } else { "none" }.to_owned(),
        verified: true,
        structure,
        order,
        ..SymmetryReport::default()
    };
    let note = |message: &String| Warning {
        code: codes::SYMMETRY_REFUSED.0.to_owned(),
        message: message.clone(),
        place: None,
        snippet: format!("note: {message}"),
    };
    analysis.breaks = broken.iter().map(note).collect();
    Ok(analysis)
}

/// The symmetry of threads goes without saying: they have no names.
fn of_threads(source: &Source) -> Analysis {
    let symmetry = SymmetryReport {
        structure: "all permutations of any number of threads".to_owned(),
        order: "unbounded".to_owned(),
        verified: true,
        derived: "declared".to_owned(),
        ..SymmetryReport::default()
    };
    Analysis { model: source.name().to_owned(), symmetry, ..Analysis::default() }
}

/// How long generators are judged.
const JUDGING: Duration = Duration::from_secs(20);

/// What becomes of claimed generators: they are judged on decision diagrams, by a check that takes no step. Nothing where
/// that takes too long.
fn judged(source: &Source, options: &Options, model: &Model) -> Vec<GeneratorReport> {
    if model.generators.is_empty() {
        return Vec::new();
    }
    let limits = Limits { bound: Some(0), time: Some(JUDGING), ..options.limits.clone() };
    let asked = Options { engine: Engine::Bdd, reduce: Reduce::OnTheFly, limits, ..options.clone() };
    check(source, &asked).map_or_else(|_| Vec::new(), |report| report.symmetry.judged)
}

/// Everything that is looked at.
struct View<'a> {
    source: &'a Source,
    options: &'a Options,
    model: &'a Model,
    runs: &'a Runs,
}

impl View<'_> {
    fn analysis(&self, diagnostics: &[Diagnostic]) -> Analysis {
        let run = &self.runs.planned[0];
        let action = run.plan.action(&run.model);
        let mut breaks: Vec<Warning> =
            diagnostics.iter().chain(&self.runs.warnings).map(|d| self.shown(d)).collect();
        breaks.extend(run.plan.warnings.iter().map(|d| self.shown(d)));
        breaks.extend(self.runs.detection.iter().flat_map(|detection| self.breaks(detection)));
        Analysis {
            model: self.source.name().to_owned(),
            symmetry: group::report(run, self.runs.derived),
            factors: run.plan.domains.iter().map(|domain| self.factor(run, *domain)).collect(),
            properties: self.properties(),
            variables: variables(&run.model, &action),
            rules: self.rules(run, &action),
            breaks,
        }
    }

    /// A domain and its elements; the other values of its types stay where they are.
    fn factor(&self, run: &Planned, domain: DomainId) -> Factor {
        let types = &run.model.types;
        let size = types.domain(domain).size;
        let of = types_of(types, domain);
        let types_claimed = self.model.claims.iter().map(|claim| claim.ty);
        let types_claimed = types_claimed.chain(self.model.generators.iter().map(|generator| generator.ty));
        let claimed = types_claimed.into_iter().any(|ty| of.contains(&ty));
        let declared = (domain.0 as usize) < self.model.types.domains.len();
        Factor {
            name: types.domain(domain).name.clone(),
            derived: match (declared, claimed) {
                (true, _) => "declared",
                (false, true) => "claimed",
                (false, false) => "detected",
            }
            .to_owned(),
            verified: !run.plan.trusted.contains(&domain) && run.plan.trusted_generators.is_empty(),
            elements: (0..size).map(|element| run.model.element_name(domain, element)).collect(),
            fixed: fixed_values(types, &of),
        }
    }

    /// The properties whose group is smaller.
    fn properties(&self) -> Vec<PropertyGroup> {
        // An exploration may decide properties of larger groups, too; those have others that decide less.
        let own = |planned: &Planned, property: usize| {
            let others = self.runs.planned.iter().filter(|other| other.decides.contains(&property));
            others.map(|other| other.decides.len()).min() == Some(planned.decides.len())
        };
        let group = |planned: &Planned| {
            let symmetry = group::report(planned, self.runs.derived);
            planned
                .decides
                .iter()
                .filter(|property| own(planned, **property))
                .map(move |property| PropertyGroup {
                    property: self.model.properties[*property].name.clone(),
                    structure: symmetry.structure.clone(),
                    order: symmetry.order.clone(),
                })
                .collect::<Vec<_>>()
        };
        self.runs.planned.iter().skip(1).flat_map(group).collect()
    }

    /// The orbits of rules; where whole rules are mapped to each other, those of rules and not of their instances.
    fn rules(&self, run: &Planned, action: &Action) -> Vec<Orbit> {
        let rules = &run.model.rules;
        if self.runs.alike.is_empty() {
            return rules.iter().flat_map(|rule| instances(&run.model, action, rule)).collect();
        }
        let orbits = self.runs.alike.iter().flat_map(|orbit| match orbit.as_slice() {
            [alone] => instances(&run.model, action, &rules[*alone]),
            orbit => {
                let members: Vec<String> = orbit.iter().map(|rule| rules[*rule].name.clone()).collect();
                vec![Orbit { name: members[0].clone(), members }]
            }
        });
        orbits.collect()
    }

    /// What tells values of index types apart; claims were answered already.
    fn breaks(&self, detection: &Detection) -> Vec<Warning> {
        let mut shown = Vec::new();
        for (number, class) in detection.classes.iter().enumerate() {
            let claimed = self.model.claims.iter().any(|claim| class.types.contains(&claim.ty));
            let wanted = |found: &&Break| {
                found.class == number && class.index && (found.property.is_some() || !claimed)
            };
            let found: Vec<&Break> = detection.breaks.iter().filter(wanted).collect();
            for found in found.iter().take(MOST_BREAKS) {
                let of = found.property.map(|property| self.model.properties[property].name.as_str());
                shown.push(self.shown(&explain(detection, found, of)));
            }
            if found.len() > MOST_BREAKS {
                let message =
                    format!("`{}` is told apart in {} more places", class.name, found.len() - MOST_BREAKS);
                let span = found[MOST_BREAKS].refusal.span;
                shown.push(self.shown(&Diagnostic::note(codes::SYMMETRY_REFUSED, span, message)));
            }
        }
        shown
    }

    fn shown(&self, diagnostic: &Diagnostic) -> Warning {
        shown(self.source, self.options, diagnostic)
    }
}

/// The simple types of which a domain's elements are values.
pub(crate) fn types_of(types: &Types, domain: DomainId) -> Vec<TypeId> {
    let has = |ty: &TypeId| types.is_simple(*ty) && types.domains_of(*ty).iter().any(|(d, _)| *d == domain);
    types.ids().filter(has).collect()
}

/// The values of types that are elements of no domain.
pub(crate) fn fixed_values(types: &Types, of: &[TypeId]) -> Vec<String> {
    let mut fixed = Vec::new();
    for ty in of {
        let (lo, hi) = types.bounds(*ty);
        for value in lo..=hi {
            let name = types.show(*ty, value);
            if types.element(*ty, value).is_none() && !fixed.contains(&name) {
                fixed.push(name);
            }
        }
    }
    fixed
}

/// The orbits of the variables.
pub(crate) fn variables(model: &Model, action: &Action) -> Vec<Orbit> {
    let cells = model.state_cells();
    let orbit = |orbit: Vec<u32>| {
        let members: Vec<String> = orbit.iter().map(|cell| cells[*cell as usize].name.clone()).collect();
        Orbit { name: members[0].clone(), members }
    };
    action.cell_orbits().into_iter().map(orbit).collect()
}

/// The orbits of a rule's instances.
pub(crate) fn instances(model: &Model, action: &Action, rule: &Rule) -> Vec<Orbit> {
    let types = rule.binders.iter().filter_map(|binder| match binder {
        Binder::Each(each) => Some(rule.frame[each.local].ty),
        _ => None,
    });
    let types: Vec<TypeId> = types.collect();
    let instance = |values: &Vec<Cell>| {
        let shown: Vec<_> =
            types.iter().zip(values).map(|(ty, value)| model.types.show(*ty, *value)).collect();
        if shown.is_empty() { rule.name.clone() } else { format!("{}({})", rule.name, shown.join(", ")) }
    };
    let Some(orbits) = action.rule_orbits(model, rule) else {
        return vec![Orbit { name: rule.name.clone(), members: vec![rule.name.clone()] }];
    };
    let named = |orbit: Vec<Vec<Cell>>| Orbit {
        name: rule.name.clone(),
        members: orbit.iter().map(instance).collect(),
    };
    orbits.into_iter().map(named).collect()
}

/// What tells values of a class apart; `of` is the property that does it, if it is one.
pub(crate) fn explain(detection: &Detection, found: &Break, of: Option<&str>) -> Diagnostic {
    let name = &detection.classes[found.class].name;
    let blocks = match found.property {
        Some(property) => &detection.properties[property][found.class],
        None => &detection.blocks[found.class],
    };
    let left: Vec<_> =
        blocks.iter().map(|block| format!("{{{}}}", detection.show(found.class, block))).collect();
    let what = match left.as_slice() {
        [] => format!("`{name}` is not symmetric"),
        left => format!("of `{name}`, only {} are interchangeable", left.join(" and ")),
    };
    let message = match of {
        Some(property) => format!("for \"{property}\", {what}"),
        None => what,
    };
    explained(Diagnostic::note(codes::SYMMETRY_REFUSED, found.refusal.span, message), &found.refusal)
}

/// A diagnostic with the reason of a refusal, the loop around it, and how to write it instead.
pub(crate) fn explained(diagnostic: Diagnostic, refusal: &Refusal) -> Diagnostic {
    let mut diagnostic = diagnostic.label(refusal.reason.clone());
    if let Some(around) = refusal.loop_span {
        diagnostic = diagnostic.also(around, "in this loop");
    }
    match refusal.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A diagnostic with its source.
pub(crate) fn shown(source: &Source, options: &Options, diagnostic: &Diagnostic) -> Warning {
    let location = source.location(diagnostic.primary.0.start);
    Warning {
        code: diagnostic.code.0.to_owned(),
        message: match diagnostic.primary.1.as_str() {
            "" => diagnostic.message.clone(),
            reason => format!("{}: {reason}", diagnostic.message),
        },
        place: Some(Place { file: location.file.to_owned(), line: location.line, column: location.column }),
        snippet: diagnostic.render(source, options.color),
    }
}
