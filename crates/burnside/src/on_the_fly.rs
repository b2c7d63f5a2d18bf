//! The permutations that representatives are chosen by on the fly, and what became of them.
//!
//! All that may be a symmetry of the rules: exchanges of elements of declared scalarsets, rotations of rings, exchanges of
//! values that were detected or claimed to be interchangeable, and claimed generators. Properties are not asked here, as
//! each keeps the permutations that leave it as it is. The model is explored as it is: that values are taken for elements
//! changes nothing but what is permuted. So what was proved of a model in which a quantifier runs through elements, all of
//! which it looks at, is not taken for proved.

use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::findings::{self, GeneratorFate};
use burnside_report::SymmetryReport;
use burnside_report::generators::GeneratorReport;
use burnside_symbolic::on_the_fly::{Candidate, OnTheFly};
use burnside_symmetry::detect::Detection;
use burnside_symmetry::{Action, Claimed, Fate, Permutation, verify};

use crate::runs::{deciding, looked_for};
use crate::{Options, claims, group};

/// All permutations that may be symmetries of the rules of a model; and what cannot be permuted at all.
pub(crate) fn candidates(model: &Model, options: &Options) -> (OnTheFly, Vec<Diagnostic>) {
    let steps = deciding(model.clone(), &[]);
    let mut detection = looked_for(&steps, options).unwrap_or_else(|| Detection::none(&steps));
    let mut insisted = Vec::new();
    for claim in &model.claims {
        let (lo, hi) = model.types.bounds(claim.ty);
        let all: Vec<i64> = (lo..=hi).collect();
        let Some(class) = detection.class_of(claim.ty) else { continue };
        if all.len() > 1 && !detection.blocks[class].contains(&all) {
            detection.insist(class, &all);
            insisted.push(detection.classes[class].name.clone());
        }
    }
    let claimed = Claimed::new(&steps, &detection);
    let types = &claimed.model.types;
    let domains: Vec<DomainId> = (0..)
        .map(DomainId)
        .zip(&types.domains)
        .filter(|(_, domain)| domain.size > 1)
        .map(|(id, _)| id)
        .collect();
    let declared = model.types.domains.len() as u32;
    let refusals = verify::verify(&steps);
    let action = Action::new(&claimed.model, &domains);
    let mut all: Vec<Candidate> = Vec::new();
    let add = |all: &mut Vec<Candidate>, name: Option<&str>, permutation: Permutation, proved: bool| match all
        .iter_mut()
        .find(|known| known.permutation == permutation)
    {
        Some(known) => known.proved |= proved,
        None if permutation.is_identity() => {}
        None => {
            let name =
                name.map_or_else(|| group::cycles(&claimed.model, &domains, &permutation), str::to_owned);
            all.push(Candidate { name, permutation, proved });
        }
    };
    let generators = model.generators.iter().enumerate();
    for (number, generator) in generators {
        let proved = matches!(claimed.fates[number], Fate::Verified | Fate::Implied);
        // Of what is declared, nothing is meant otherwise than it was verified.
        let as_meant = !claimed.watched || claimed.domain(number).is_some_and(|domain| domain.0 < declared);
        if let Some(permutation) = claimed.permutation(number, &action) {
            add(&mut all, Some(&generator.name), permutation, proved && as_meant);
        }
    }
    let known = claimed.detected_permutations(&action);
    known.into_iter().for_each(|permutation| add(&mut all, None, permutation, !claimed.watched));
    let insisted_on = claimed.insisted_permutations(&action);
    insisted_on.into_iter().for_each(|permutation| add(&mut all, None, permutation, false));
    for permutation in action.generators() {
        let moved = permutation.images().iter().zip(&domains);
        let moved = moved.filter(|(images, _)| images.iter().zip(0..).any(|(image, i)| *image != i));
        let Some((_, domain)) = moved.map(|(images, domain)| (images, *domain)).next() else { continue };
        if claimed.all_domains().contains(&domain) && domain.0 >= declared {
            continue;
        }
        let name = &types.domain(domain).name;
        let proved = match domain.0 < declared {
            true => refusals.iter().all(|refusal| refusal.domain != domain),
            false => !claimed.watched && !insisted.contains(name),
        };
        add(&mut all, None, permutation, proved);
    }
    let unusable = |(_, fate): &(_, &Fate)| matches!(fate, Fate::Unusable(_));
    let warnings = claims::judge_generators(model, options, &claimed).into_iter();
    let spans: Vec<_> = model
        .generators
        .iter()
        .zip(&claimed.fates)
        .filter(unusable)
        .map(|(generator, _)| generator.span)
        .collect();
    let warnings = warnings.filter(|warning| spans.contains(&warning.primary.0)).collect();
    let how = OnTheFly {
        attached: claimed.model,
        action,
        candidates: all,
        trust: options.trust_symmetry,
        sigma_steps: options.diagrams.sigma_steps,
        under: options.diagrams.under,
        monolithic: options.diagrams.monolithic,
    };
    (how, warnings)
}

/// What the verdict rests on: permutations that are used although they are not known to be symmetries.
pub(crate) fn assumptions(found: &findings::OnTheFly) -> Vec<String> {
    let wrong = found.runs.iter().any(|run| !run.verified);
    let doubtful = found.generators.iter().filter(|g| wrong && g.used && g.fate != GeneratorFate::Verified);
    let said = doubtful.map(|generator| match generator.fate {
        GeneratorFate::Refuted(_) => {
            format!(
                "the generator \"{}\", which was refuted, hides nothing (--trust-symmetry)",
                generator.name
            )
        }
        _ => format!("the generator \"{}\" is a symmetry (--trust-symmetry)", generator.name),
    });
    said.collect()
}

/// The group of the first exploration, and what became of all permutations.
pub(crate) fn report(
    how: &OnTheFly,
    found: Option<&findings::OnTheFly>,
    model: &Model,
    source: &Source,
) -> SymmetryReport {
    let (attached, domains) = (&how.attached, how.action.domains());
    let run = found.and_then(|found| found.runs.first());
    let cycles = |images: &Vec<Vec<u32>>| {
        let permutation = Permutation::from_images(images.clone())?;
        Some(group::cycles(attached, domains, &permutation))
    };
    // In one line.
    let text = |span| source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    SymmetryReport {
        generators: run.iter().flat_map(|run| &run.generators).filter_map(cycles).collect(),
        structure: run.map_or_else(|| "trivial".to_owned(), |run| run.structure.clone()),
        order: run.map_or_else(|| "1".to_owned(), |run| run.order.clone()),
        verified: found.is_some_and(|found| found.runs.iter().all(|run| run.verified)),
        derived: match () {
            () if how.candidates.is_empty() => "none",
            () if !model.generators.is_empty() || !model.claims.is_empty() => "claimed",
            () if model.types.domains.is_empty() => "detected",
            () => "declared",
        }
        .to_owned(),
        asymmetric: Vec::new(),
        judged: (found.iter().flat_map(|found| &found.generators))
            .map(|generator| GeneratorReport::new(model, generator, &text))
            .collect(),
    }
}
