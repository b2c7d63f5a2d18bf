//! What is symmetric in a model, what breaks it and where: `burnside symmetry`.

use std::time::Duration;

use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, TypeId};
use burnside_model::system::{Binder, Rule};
use burnside_report::generators::GeneratorReport;
use burnside_report::symmetry::{Analysis, Factor, Orbit, PropertyGroup};
use burnside_report::{Place, Warning};
use burnside_symmetry::Action;
use burnside_symmetry::detect::{Break, Detection};

use crate::runs::{Planned, Runs};
use crate::{Engine, Failure, Limits, Options, Reduce, check, group, load};

/// So many places that break the symmetry of one type are shown.
const MOST_BREAKS: usize = 6;

/// Finds the symmetry of a model without exploring it, and judges the generators that are claimed.
pub fn symmetry(source: &Source, options: &Options) -> Result<Analysis, Failure> {
    let (model, diagnostics) = load(source, options)?;
    let runs = Runs::choose(&model, options, false);
    let view = View { source, options, model: &model, runs: &runs };
    let mut analysis = view.analysis(&diagnostics);
    analysis.symmetry.judged = judged(source, options, &model);
    Ok(analysis)
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
            variables: self.variables(run, &action),
            rules: self.rules(run, &action),
            breaks,
        }
    }

    /// A domain and its elements; the other values of its types stay where they are.
    fn factor(&self, run: &Planned, domain: DomainId) -> Factor {
        let types = &run.model.types;
        let size = types.domain(domain).size;
        let has =
            |ty: &TypeId| types.is_simple(*ty) && types.domains_of(*ty).iter().any(|(d, _)| *d == domain);
        let of: Vec<TypeId> = types.ids().filter(has).collect();
        let mut fixed = Vec::new();
        for ty in &of {
            let (lo, hi) = types.bounds(*ty);
            for value in lo..=hi {
                let name = types.show(*ty, value);
                if types.element(*ty, value).is_none() && !fixed.contains(&name) {
                    fixed.push(name);
                }
            }
        }
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
            fixed,
        }
    }

    /// The properties whose group is smaller.
    fn properties(&self) -> Vec<PropertyGroup> {
        let group = |planned: &Planned| {
            let symmetry = group::report(planned, self.runs.derived);
            planned
                .decides
                .iter()
                .map(move |property| PropertyGroup {
                    property: self.model.properties[*property].name.clone(),
                    structure: symmetry.structure.clone(),
                    order: symmetry.order.clone(),
                })
                .collect::<Vec<_>>()
        };
        self.runs.planned.iter().skip(1).flat_map(group).collect()
    }

    fn variables(&self, run: &Planned, action: &Action) -> Vec<Orbit> {
        let cells = run.model.state_cells();
        let orbit = |orbit: Vec<u32>| {
            let members: Vec<String> = orbit.iter().map(|cell| cells[*cell as usize].name.clone()).collect();
            Orbit { name: members[0].clone(), members }
        };
        action.cell_orbits().into_iter().map(orbit).collect()
    }

    /// The orbits of rules; where whole rules are mapped to each other, those of rules and not of their instances.
    fn rules(&self, run: &Planned, action: &Action) -> Vec<Orbit> {
        let rules = &run.model.rules;
        if self.runs.alike.is_empty() {
            return rules.iter().flat_map(|rule| self.rule(action, rule)).collect();
        }
        let orbits = self.runs.alike.iter().flat_map(|orbit| match orbit.as_slice() {
            [alone] => self.rule(action, &rules[*alone]),
            orbit => {
                let members: Vec<String> = orbit.iter().map(|rule| rules[*rule].name.clone()).collect();
                vec![Orbit { name: members[0].clone(), members }]
            }
        });
        orbits.collect()
    }

    fn rule(&self, action: &Action, rule: &Rule) -> Vec<Orbit> {
        let types = rule.binders.iter().filter_map(|binder| match binder {
            Binder::Each(each) => Some(rule.frame[each.local].ty),
            _ => None,
        });
        let types: Vec<TypeId> = types.collect();
        let instance = |values: &Vec<Cell>| {
            let shown: Vec<_> =
                types.iter().zip(values).map(|(ty, value)| self.model.types.show(*ty, *value)).collect();
            if shown.is_empty() { rule.name.clone() } else { format!("{}({})", rule.name, shown.join(", ")) }
        };
        let Some(orbits) = action.rule_orbits(&self.runs.planned[0].model, rule) else {
            return vec![Orbit { name: rule.name.clone(), members: vec![rule.name.clone()] }];
        };
        let named = |orbit: Vec<Vec<Cell>>| Orbit {
            name: rule.name.clone(),
            members: orbit.iter().map(instance).collect(),
        };
        orbits.into_iter().map(named).collect()
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
                shown.push(self.shown(&self.explain(detection, number, found)));
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

    fn explain(&self, detection: &Detection, class: usize, found: &Break) -> Diagnostic {
        let name = &detection.classes[class].name;
        let blocks = match found.property {
            Some(property) => &detection.properties[property][class],
            None => &detection.blocks[class],
        };
        let left: Vec<_> =
            blocks.iter().map(|block| format!("{{{}}}", detection.show(class, block))).collect();
        let what = match left.as_slice() {
            [] => format!("`{name}` is not symmetric"),
            left => format!("of `{name}`, only {} are interchangeable", left.join(" and ")),
        };
        let message = match found.property {
            Some(property) => format!("for \"{}\", {what}", self.model.properties[property].name),
            None => what,
        };
        let note = Diagnostic::note(codes::SYMMETRY_REFUSED, found.refusal.span, message);
        let note = note.label(found.refusal.reason.clone());
        match found.refusal.loop_span {
            Some(around) => note.also(around, "in this loop"),
            None => note,
        }
    }

    fn shown(&self, diagnostic: &Diagnostic) -> Warning {
        let location = self.source.location(diagnostic.primary.0.start);
        Warning {
            code: diagnostic.code.0.to_owned(),
            message: match diagnostic.primary.1.as_str() {
                "" => diagnostic.message.clone(),
                reason => format!("{}: {reason}", diagnostic.message),
            },
            place: Some(Place {
                file: location.file.to_owned(),
                line: location.line,
                column: location.column,
            }),
            snippet: diagnostic.render(self.source, self.options.color),
        }
    }
}
