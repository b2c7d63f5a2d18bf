//! What becomes of `symmetry T;`: it is compared with what was detected, and where that is less, the author is told why.

use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::Model;
use burnside_model::system::Claim;
use burnside_symmetry::detect::{Detection, MOST_VALUES};
use burnside_symmetry::{Claimed, Fate};

use crate::Options;
use crate::analysis::explained;

/// Warns of claims that are not (wholly) true; with `--trust-symmetry`, makes them part of the detection all the same, and
/// says so.
pub(crate) fn judge(model: &Model, options: &Options, detection: &mut Detection) -> (Vec<Diagnostic>, bool) {
    let (mut warnings, mut trusting) = (Vec::new(), false);
    for claim in &model.claims {
        let Some(class) = detection.class_of(claim.ty) else {
            warnings.extend(unused(model, claim));
            continue;
        };
        let (lo, hi) = model.types.bounds(claim.ty);
        let all: Vec<i64> = (lo..=hi).collect();
        if detection.blocks[class].contains(&all) {
            continue;
        }
        if options.trust_symmetry && !detection.changes_meaning(class) {
            // The verifier will refuse it once more, with the reasons.
            detection.insist(class, &all);
            trusting = true;
        } else {
            warnings.extend(refused(model, claim, detection, class));
        }
    }
    (warnings, trusting)
}

/// Warns of claimed generators that do not hold, or could not be verified.
pub(crate) fn judge_generators(model: &Model, options: &Options, claimed: &Claimed) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (generator, fate) in model.generators.iter().zip(&claimed.fates) {
        let name = &generator.name;
        match fate {
            Fate::Verified | Fate::Implied => {}
            Fate::Unusable(reason) => {
                let message = format!("the generator \"{name}\" is not used as a symmetry: {reason}");
                warnings.push(Diagnostic::warning(codes::SYMMETRY_REFUSED, generator.span, message));
            }
            Fate::Refused(refusals) => warnings.extend(refusals.iter().map(|refusal| {
                let message = match options.trust_symmetry {
                    true => {
                        format!("the generator \"{name}\" is used as a symmetry, but could not be verified")
                    }
                    false => format!("the generator \"{name}\" is not used as a symmetry"),
                };
                let warning = Diagnostic::warning(codes::SYMMETRY_REFUSED, refusal.span, message);
                explained(warning.also(generator.span, "claimed here"), refusal)
            })),
        }
    }
    warnings
}

/// Where the symmetry of a detection is from.
pub(crate) fn derived(model: &Model, detection: &Detection) -> &'static str {
    let claimed = |class: usize| model.claims.iter().any(|claim| detection.class_of(claim.ty) == Some(class));
    let mut used = detection.blocks.iter().enumerate().filter(|(_, blocks)| !blocks.is_empty());
    match used.all(|(class, _)| claimed(class)) {
        _ if !model.types.domains.is_empty() => "declared",
        true => "claimed",
        false => "detected",
    }
}

fn unused(model: &Model, claim: &Claim) -> Option<Diagnostic> {
    let name = model.types.describe(claim.ty);
    let why = match model.types.size(claim.ty) {
        1 => return None,
        2..=MOST_VALUES => "no variable of the state has values of it".to_owned(),
        size => format!("it has {size} values, and at most {MOST_VALUES} are looked at"),
    };
    let message = format!("`{name}` is not used as a symmetry: {why}");
    Some(Diagnostic::warning(codes::SYMMETRY_REFUSED, claim.span, message))
}

fn refused(model: &Model, claim: &Claim, detection: &Detection, class: usize) -> Vec<Diagnostic> {
    let name = model.types.describe(claim.ty);
    let left: Vec<String> =
        detection.blocks[class].iter().map(|block| format!("{{{}}}", detection.show(class, block))).collect();
    let message = match left.as_slice() {
        [] => format!("`{name}` is not used as a symmetry"),
        left => format!("only {} of `{name}` are used as a symmetry", left.join(" and ")),
    };
    let breaks = detection.breaks.iter().filter(|found| found.class == class && found.property.is_none());
    let warnings = breaks.map(|found| {
        let warning = Diagnostic::warning(codes::SYMMETRY_REFUSED, found.refusal.span, message.clone());
        explained(warning.also(claim.span, "claimed here"), &found.refusal)
    });
    warnings.collect()
}
