//! What became of permutations that were to be used as symmetries: verified, refuted, and what they change.

use std::fmt::Write;

use burnside_model::Model;
use burnside_model::findings::{GeneratorFate, JudgedGenerator, Refutation};
use serde::Serialize;

use crate::trace::{Firing, firing, named};
use crate::value::{Named, Object, Value};

/// A permutation that was to be used as a symmetry.
#[derive(Clone, Debug)]
pub struct GeneratorReport {
    pub name: String,
    /// Whether it was claimed, and not found.
    pub claimed: bool,
    /// `verified`, `refuted`, `open` or `unusable`.
    pub verdict: &'static str,
    pub used: bool,
    pub reason: Option<String>,
    /// Why it is refuted.
    pub witness: Option<RefutationReport>,
    /// The properties that it changes.
    pub breaks: Vec<BrokenReport>,
}

/// A step whose image under a permutation is none.
#[derive(Clone, Debug)]
pub struct RefutationReport {
    /// The rule that takes it.
    pub firing: Firing,
    /// The state before it, which need not be reachable.
    pub state: Vec<Named>,
    /// The image of that state.
    pub image: Vec<Named>,
    /// The image of the state after it: no rule leads there.
    pub missing: Vec<Named>,
}

/// A property that a permutation changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenReport {
    pub property: String,
    /// The conditions in it that are not the same afterwards; none if it is all of it.
    pub atoms: Vec<String>,
}

impl GeneratorReport {
    /// What is known of a permutation, in words. `atom` is the text of a place in the model.
    pub fn new(
        model: &Model,
        judged: &JudgedGenerator,
        atom: &dyn Fn(burnside_model::Span) -> String,
    ) -> Self {
        let (verdict, reason, witness) = match &judged.fate {
            GeneratorFate::Verified => ("verified", None, None),
            GeneratorFate::Refuted(why) => ("refuted", None, Some(RefutationReport::new(model, why))),
            GeneratorFate::Open => ("open", None, None),
            GeneratorFate::Unusable(why) => ("unusable", Some(why.clone()), None),
        };
        let breaks = judged.breaks.iter().map(|broken| BrokenReport {
            property: broken.name.clone(),
            atoms: broken.atoms.iter().map(|span| atom(*span)).collect(),
        });
        GeneratorReport {
            name: judged.name.clone(),
            claimed: model.generators.iter().any(|claim| claim.name == judged.name),
            verdict,
            used: judged.used,
            reason,
            witness,
            breaks: breaks.collect(),
        }
    }

    /// Lines for a terminal; none where there is nothing to say.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let name = if self.claimed { format!("\"{}\"", self.name) } else { self.name.clone() };
        let used = if self.used { "used" } else { "not used" };
        let _ = match (self.verdict, &self.witness, &self.reason) {
            ("verified", ..) if !self.claimed => Ok(()),
            ("verified", ..) => writeln!(text, "  generator {name} is verified"),
            (_, Some(witness), _) => {
                writeln!(text, "  generator {name} is refuted, and {used}: {}", witness.text())
            }
            (_, _, Some(reason)) => writeln!(text, "  generator {name} is not used: {reason}"),
            _ => writeln!(text, "  generator {name} could not be verified, and is {used}"),
        };
        for broken in self.breaks.iter().filter(|_| self.claimed) {
            let atoms: Vec<String> = broken.atoms.iter().map(|atom| format!("`{atom}`")).collect();
            let what = if atoms.is_empty() { "it".to_owned() } else { atoms.join(" and ") };
            let _ = writeln!(text, "    \"{}\" is checked without it, as it changes {what}", broken.property);
        }
        text
    }
}

/// So many variables of a state are shown in a line.
const MOST_SHOWN: usize = 8;

impl RefutationReport {
    fn new(model: &Model, refutation: &Refutation) -> Self {
        let cells = model.state_cells();
        let state = |state: &[i64]| named(&model.types, &cells, state);
        RefutationReport {
            firing: firing(model, false, refutation.rule, &refutation.args),
            state: state(&refutation.state),
            image: state(&refutation.image),
            missing: state(&refutation.missing),
        }
    }

    fn text(&self) -> String {
        // What the permutation and the step change says most.
        let other =
            |at: usize, states: &[&Vec<Named>]| states.iter().any(|s| s.get(at) != self.state.get(at));
        let shown = self.state.iter().enumerate().filter(|(at, _)| other(*at, &[&self.image, &self.missing]));
        let shown: Vec<String> = shown.map(|(_, (name, value))| format!("{name} = {value}")).collect();
        let more = if shown.len() > MOST_SHOWN || shown.len() < self.state.len() { ", …" } else { "" };
        let shown = shown[..shown.len().min(MOST_SHOWN)].join(", ");
        let firing = &self.firing;
        format!(
            "{firing} takes a step from {{{shown}{more}}} that no rule takes from the image of that state"
        )
    }
}

/// As JSON has it.
#[derive(Serialize)]
pub(crate) struct Json<'a> {
    name: &'a str,
    claimed: bool,
    verdict: &'static str,
    used: bool,
    reason: Option<&'a str>,
    witness: Option<JsonWitness<'a>>,
    breaks: &'a [BrokenReport],
}

#[derive(Serialize)]
struct JsonWitness<'a> {
    rule: &'a str,
    parameters: Object<'a, &'a Value>,
    state: Object<'a, &'a Value>,
    image: Object<'a, &'a Value>,
    missing: Object<'a, &'a Value>,
}

impl<'a> Json<'a> {
    pub(crate) fn new(report: &'a GeneratorReport) -> Self {
        let object =
            |named: &'a [Named]| Object(named.iter().map(|(name, value)| (name.as_str(), value)).collect());
        let witness = report.witness.as_ref().map(|witness| JsonWitness {
            rule: &witness.firing.rule,
            parameters: object(&witness.firing.parameters),
            state: object(&witness.state),
            image: object(&witness.image),
            missing: object(&witness.missing),
        });
        Json {
            name: &report.name,
            claimed: report.claimed,
            verdict: report.verdict,
            used: report.used,
            reason: report.reason.as_deref(),
            witness,
            breaks: &report.breaks,
        }
    }
}
