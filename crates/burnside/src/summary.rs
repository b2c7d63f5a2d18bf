//! From what the engine found to the report: names, places and words.

use std::collections::BTreeSet;
use std::time::Instant;

use burnside_explicit::{Exploration, PropertyResult};
use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::code::DomainId;
use burnside_model::system::{Property, PropertyKind};
use burnside_model::{DeadlockMode, Model, Span, Verdict};
use burnside_report::{
    Place, PropertyReport, Report, RuleCount, SymmetryReport, TraceReport, Value, Violation, Warning, trace,
};
use burnside_symmetry::Action;

use crate::plan::{AllConfirmed, Plan};
use crate::witness::{Confirmed, End};
use crate::{Options, memory};

/// What a report is made from.
pub(crate) struct Summary<'a> {
    pub source: &'a Source,
    pub options: &'a Options,
    pub model: &'a Model,
    pub plan: &'a Plan,
    /// The warnings of the front end.
    pub diagnostics: Vec<Diagnostic>,
}

impl Summary<'_> {
    /// The report.
    pub fn report(self, exploration: Exploration, confirmed: AllConfirmed, begun: Instant) -> Report {
        let warnings = self.warnings(&exploration);
        let properties: Vec<_> = exploration
            .properties
            .iter()
            .zip(&confirmed)
            .map(|(property, confirmed)| self.property(property, confirmed))
            .collect();
        let some = |verdict| properties.iter().any(|p: &PropertyReport| p.verdict == verdict);
        let verdict = if some(Verdict::Violated) {
            Verdict::Violated
        } else if some(Verdict::Unknown) || exploration.limit.is_some() {
            Verdict::Unknown
        } else {
            Verdict::Holds
        };
        let types = &self.model.types;
        Report {
            model: self.source.name().to_owned(),
            language: "murphi".to_owned(),
            constants: self
                .model
                .constants
                .iter()
                .map(|c| (c.name.clone(), Value::new(types, c.ty, c.value)))
                .collect(),
            verdict,
            properties,
            engine: self.plan.engine(self.options).to_owned(),
            reduction: self.plan.reduction().to_owned(),
            exact: self.plan.is_exact(),
            symmetry: self.symmetry(),
            states: exploration.states,
            full_states: exploration.full_states,
            rules_fired: Some(exploration.rules_fired),
            depth: Some(exploration.depth),
            time: begun.elapsed(),
            peak_memory: memory::peak_memory().unwrap_or(exploration.memory),
            limit: exploration.limit,
            assumptions: assumptions(self.plan, &exploration),
            runs: Vec::new(),
            warnings,
            rules: self.rules(&exploration.per_rule),
        }
    }

    fn place(&self, span: Span) -> Place {
        let location = self.source.location(span.start);
        Place { file: location.file.to_owned(), line: location.line, column: location.column }
    }

    fn rules(&self, fired: &[u64]) -> Vec<RuleCount> {
        let count = |(rule, fired): (&burnside_model::system::Rule, &u64)| RuleCount {
            rule: rule.name.clone(),
            place: Some(self.place(rule.span)),
            fired: *fired,
        };
        self.model.rules.iter().zip(fired).map(count).collect()
    }

    fn symmetry(&self) -> SymmetryReport {
        let types = &self.model.types;
        let domains = &self.plan.domains;
        let structure: Vec<_> = domains
            .iter()
            .map(|domain| types.domain(*domain))
            .map(|domain| format!("S{}({})", domain.size, domain.name))
            .collect();
        // Neighbours' exchanges generate all permutations.
        let swaps = |domain: &DomainId| {
            let domain = types.domain(*domain);
            (1..domain.size).map(|i| format!("({0}_{1} {0}_{i})", domain.name, i - 1)).collect::<Vec<_>>()
        };
        SymmetryReport {
            generators: domains.iter().flat_map(swaps).collect(),
            structure: if structure.is_empty() { "trivial".to_owned() } else { structure.join(" x ") },
            order: Action::new(self.model, domains).order_string(),
            verified: true,
        }
    }

    /// All warnings, in the order in which they arose.
    fn warnings(&self, exploration: &Exploration) -> Vec<Warning> {
        let mut all: Vec<_> = self.diagnostics.iter().chain(&self.plan.warnings).cloned().collect();
        let mut lines = BTreeSet::new();
        for span in &exploration.undefined_copies {
            let place = self.place(*span);
            if lines.insert((place.file, place.line)) {
                let message = "an undefined value is copied here";
                all.push(
                    Diagnostic::warning(codes::UNDEFINED_COPIED, *span, message)
                        .help("`--undefined error` makes this an error"),
                );
            }
        }
        if exploration.states == 0 && exploration.limit.is_none() && !self.model.starts.is_empty() {
            let message = "there is no state: every start state fails or is excluded by an assumption";
            all.push(Diagnostic::warning(codes::NO_START_STATE, self.model.starts[0].span, message));
        }
        all.iter()
            .map(|warning| Warning {
                code: warning.code.0.to_owned(),
                message: warning.message.clone(),
                place: Some(self.place(warning.primary.0)),
                snippet: warning.render(self.source, self.options.color),
            })
            .collect()
    }

    fn property(&self, result: &PropertyResult, confirmed: &[Confirmed]) -> PropertyReport {
        let stated = result.index.map(|index| &self.model.properties[index]);
        let mut violations: Vec<_> =
            confirmed.iter().map(|confirmed| self.violation(stated, confirmed)).collect();
        if let Some(cover) = stated
            && result.kind == PropertyKind::Cover
            && result.verdict() == Verdict::Violated
        {
            let error = Diagnostic::error(Code("cover"), cover.span, "this is never reached");
            violations.push(self.placed(&error, TraceReport::default()));
        }
        PropertyReport {
            name: result.name.clone(),
            named: stated.is_some_and(|property| property.named),
            kind: result.kind,
            verdict: result.verdict(),
            place: stated.map(|property| self.place(property.span)),
            covered: result.covered,
            violations,
        }
    }

    fn violation(&self, stated: Option<&Property>, confirmed: &Confirmed) -> Violation {
        let trace = TraceReport::new(self.model, &confirmed.trace);
        let (span, name) = match stated {
            Some(property) if property.named => (property.span, format!("\"{}\" ", property.name)),
            Some(property) => (property.span, String::new()),
            None => (Span::default(), String::new()),
        };
        let error = match &confirmed.end {
            End::Invariant => {
                let message = format!("invariant {name}does not hold");
                Diagnostic::error(Code("invariant"), span, message)
            }
            End::Fault(fault) => Diagnostic::error(Code(fault.kind.name()), fault.span, &fault.message),
            End::Deadlock => {
                let message = match self.options.deadlock {
                    DeadlockMode::Stuck => "no rule is enabled",
                    _ => "no rule leads to another state",
                };
                let snippet = paint(&format!("error[deadlock]: {message}"), self.options.color);
                return Violation { message: message.to_owned(), place: None, snippet, trace };
            }
            End::NeverAgain(args) => {
                let parameters =
                    stated.map(|p| trace::parameters(&self.model.types, &p.binders, &p.frame, args));
                let named: Vec<_> =
                    parameters.iter().flatten().map(|(name, value)| format!("{name}: {value}")).collect();
                let of = if named.is_empty() { String::new() } else { format!(" for {}", named.join(", ")) };
                let message = format!("liveness {name}can never hold again{of}");
                Diagnostic::error(Code("liveness"), span, message)
            }
        };
        self.placed(&error, trace)
    }

    fn placed(&self, error: &Diagnostic, trace: TraceReport) -> Violation {
        Violation {
            message: error.message.clone(),
            place: Some(self.place(error.primary.0)),
            snippet: error.render(self.source, self.options.color),
            trace,
        }
    }
}

/// What the verdict rests on.
fn assumptions(plan: &Plan, exploration: &Exploration) -> Vec<String> {
    let mut assumptions = Vec::new();
    if plan.canon.is_approximate() && !plan.domains.is_empty() {
        assumptions.push("states with the same symmetry marker are symmetric (--canon markers)".to_owned());
    }
    if let Some(missed) = exploration.missed {
        assumptions.push(format!(
            "no two states have the same 64-bit hash (--compact: the probability that a state was missed is at most {missed:.1e})"
        ));
    }
    if let Some(depth) = exploration.unconfirmed {
        assumptions.push(format!(
            "the violation that was met within {depth} steps is none (--compact: the limits did not suffice to tell its run)"
        ));
    }
    assumptions
}

fn paint(text: &str, color: bool) -> String {
    if color { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_owned() }
}
