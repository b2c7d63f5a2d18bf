//! What `prove` found, in words.

use std::fmt::Write;
use std::ops::ControlFlow;

use burnside_lang::source::Source;
use burnside_model::code::{DomainId, Semantics};
use burnside_model::system::{Machine, Outcome, PropertyKind, System as _};
use burnside_model::{DeadlockMode, Limit, Model, Verdict};
use burnside_sat::prove::{Closest, Proof, Reason, Verdict as Found, murphi};

use super::{Chosen, ProveOptions, Proved, check_options, diagnostic, is_limit, undecided};
use crate::{Failure, Report, check};

/// Sizes up to this are checked for deadlocks, if that is asked for.
const DEADLOCK_SIZES: u32 = 3;

/// Why there is no more, in words.
pub(super) fn stopped(limit: Limit) -> String {
    match limit {
        Limit::Cancelled => "stopped by a signal or its caller".to_owned(),
        limit => format!("stopped: the limit of {} was reached", limit.name()),
    }
}

/// What is spoken of.
pub(super) struct Words<'w> {
    /// The text with the user's lemmas.
    pub source: &'w Source,
    /// The text without them.
    pub original: &'w Source,
    pub model: &'w Model,
    pub chosen: &'w Chosen,
    pub options: &'w ProveOptions,
}

impl Words<'_> {
    /// What is said of a verdict; a violation is checked once more, with a run.
    pub fn said(&self, found: &Found) -> Result<Proved, Failure> {
        let violated = match found {
            Found::Violated(size, _) => self.violated(*size)?,
            _ => None,
        };
        let mut proved = self.say(found, violated);
        if self.options.deadlock != DeadlockMode::Off && proved.verdict == Verdict::Holds {
            self.deadlocks(&mut proved)?;
        }
        Ok(proved)
    }

    /// Deadlocks have no proof for every size: small ones are checked.
    fn deadlocks(&self, proved: &mut Proved) -> Result<(), Failure> {
        let name = self.name();
        for size in 1..=DEADLOCK_SIZES {
            let Some(options) = self.options_at(size) else {
                proved.text += "deadlocks were not checked: the size is not a constant\n";
                return Ok(());
            };
            let report = check(self.source, &options)?;
            if report.verdict == Verdict::Unknown {
                proved.verdict = Verdict::Unknown;
                let _ = writeln!(proved.text, "\nwhether there is a deadlock at {name} = {size} is unknown");
                return Ok(());
            }
            if report.verdict == Verdict::Violated {
                proved.verdict = Verdict::Violated;
                proved.text = format!("deadlock at {name} = {size}\n");
                proved.violated = Some(Box::new(report));
                return Ok(());
            }
        }
        let _ = writeln!(proved.text, "\nno deadlock for {name} <= {DEADLOCK_SIZES} (checked)");
        Ok(())
    }

    /// What is said of a verdict.
    fn say(&self, found: &Found, violated: Option<Box<Report>>) -> Proved {
        let mut proved = Proved {
            verdict: Verdict::Unknown,
            text: String::new(),
            invariant: Vec::new(),
            bound: Vec::new(),
            certificate: None,
            violated,
        };
        match found {
            Found::ForAll(proof) => self.for_all(proof, &mut proved),
            Found::Violated(size, violation) => {
                proved.verdict = Verdict::Violated;
                let below = if *size > 1 {
                    format!(", and holds for {} < {size}", self.name())
                } else {
                    String::new()
                };
                proved.text = format!("violated at {} = {size}{below}\n", self.name());
                if let Some(lemma) = self.lemma(violation.0) {
                    let _ = writeln!(
                        proved.text,
                        "the lemma {lemma} is wrong: it does not hold in all reachable states"
                    );
                }
            }
            Found::Open(checked, reason) => self.open(*checked, reason, &mut proved.text),
        }
        let open = undecided(self.model);
        if !open.is_empty() {
            let _ = writeln!(
                proved.text,
                "not decided here: {}; `burnside check` decides them for one size",
                open.join(", ")
            );
        }
        proved
    }

    /// The parameters: `N`, or `N, M`.
    fn name(&self) -> String {
        if self.chosen.names.is_empty() { "the size".to_owned() } else { self.chosen.names.join(", ") }
    }

    /// If a check is that of a lemma: its name.
    fn lemma(&self, check: usize) -> Option<String> {
        let checks = burnside_model::findings::Checks::new(self.model, DeadlockMode::Off);
        let property = &self.model.properties[checks.list.get(check)?.index?];
        let is_lemma = property.span.start as usize >= self.original.text().len();
        is_lemma.then(|| format!("\"{}\"", property.name))
    }

    fn for_all(&self, proof: &Proof, proved: &mut Proved) {
        proved.verdict = Verdict::Holds;
        let name = self.name();
        let invariants =
            self.model.properties.iter().filter(|property| property.kind == PropertyKind::Invariant).count();
        let text = &mut proved.text;
        let _ = writeln!(
            text,
            "holds for every {name} >= 1: {}, no error at run time",
            plural(invariants, "invariant")
        );
        if invariants == 0 {
            let _ = writeln!(
                text,
                "note: the model states no invariant, so only errors at run time are excluded"
            );
        }
        for rule in &proof.dead {
            let rule = &self.model.rules[*rule].name;
            let _ = writeln!(text, "note: rule \"{rule}\" never fires, so the proof says nothing about it");
        }
        if !moves(self.model, self.options.semantics) {
            let _ = writeln!(text, "note: the proof is vacuous, as no rule leads out of a start state");
        }
        proved.invariant = murphi(self.model, &proof.schema, &proof.clauses);
        let most = proof.quantifiers.iter().sum::<u32>();
        let _ = writeln!(
            text,
            "\ninductive invariant, {} of at most {}, found at {name} = {}:",
            plural(proof.clauses.len(), "clause"),
            plural(most as usize, "element"),
            proof.base
        );
        for (number, clause) in proved.invariant.iter().enumerate() {
            let _ = writeln!(text, "  invariant \"proof {}\" {clause};", number + 1);
        }
        self.bound(proof, text);
        let named = |domain: &DomainId| self.model.types.domain(*domain).name.clone();
        proved.bound = proof.summary.domains.iter().map(named).zip(proof.bound.iter().copied()).collect();
        // A clause with both quantifiers is beyond what the verifier of certificates accepts.
        let simple =
            |clause: &burnside_sat::clause::Clause| clause.some.is_none() || clause.variables.is_empty();
        proved.certificate = proof.clauses.iter().all(simple).then(|| self.certificate(proof, proved));
    }

    /// Why the sizes that were checked suffice.
    fn bound(&self, proof: &Proof, text: &mut String) {
        for (at, domain) in proof.summary.domains.iter().enumerate() {
            let name = &self.model.types.domain(*domain).name;
            let _ = writeln!(
                text,
                "\nwhy this holds for every size of {name}: it was checked at all sizes 1 .. {}, and a smallest \
                 counterexample to induction needs no more elements than",
                proof.bound[at]
            );
            for (count, what) in self.summands(proof, at) {
                let _ = writeln!(text, "  {count:>2}  {what}");
            }
        }
    }

    /// The summands of a bound.
    fn summands(&self, proof: &Proof, at: usize) -> Vec<(u32, String)> {
        let mut summands = vec![(proof.summary.globals[at], "held by variables outside arrays".to_owned())];
        if let Some(body) = proof.summary.decisive(&proof.quantifiers, at) {
            summands.push((body.parameters[at], format!("parameters of {}", body.name)));
            summands.push((
                body.witnesses[at],
                "that make one of its `exists` true or `forall` false, or are read from an array of ids"
                    .to_owned(),
            ));
            if body.steps && proof.quantifiers[at] >= body.loops[at] {
                summands.push((proof.quantifiers[at], "named by a clause".to_owned()));
            } else {
                summands.push((body.loops[at], "of loops inside each other".to_owned()));
            }
        }
        summands.push((proof.witnesses[at], "of which clauses say that they exist".to_owned()));
        summands.retain(|(count, _)| *count > 0);
        summands
    }

    fn open(&self, checked: u32, reason: &Reason, text: &mut String) {
        let name = self.name();
        let what = if checked == 0 {
            "nothing is known".to_owned()
        } else if self.chosen.names.is_empty() {
            "holds at the sizes in the model (checked)".to_owned()
        } else {
            format!("holds for {name} <= {checked} (checked)")
        };
        let _ = writeln!(text, "{what}; no proof beyond");
        match reason {
            Reason::Outside(places) => {
                for outside in places {
                    text.push_str(&diagnostic(outside).render(self.source, false));
                }
                if let Some(why) = self.options.limits.cancel.and_then(|cancel| cancel.reason()) {
                    let _ = writeln!(text, "{}", stopped(why));
                }
            }
            Reason::NoInvariant(closest) => self.closest(closest.as_ref(), text),
            Reason::Limit(limit) => {
                // Engines stop at a deadline; why there was one is known here.
                let why = self.options.limits.cancel.and_then(|cancel| cancel.reason());
                let _ = writeln!(text, "{}", stopped(why.unwrap_or(*limit)));
            }
            Reason::Refused(reason) => {
                let _ = writeln!(text, "stopped: {reason}");
            }
        }
        if is_limit(reason) && self.options.limits.cancel.is_none_or(|cancel| cancel.reason().is_none()) {
            let _ = writeln!(text, "`--time` gives it more");
        }
    }

    fn closest(&self, closest: Option<&Closest>, text: &mut String) {
        let _ = writeln!(text, "no inductive invariant was found that quantifies over elements");
        let Some(Closest { sizes, what, state }) = closest else { return };
        let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "closest, at size {}: {what}, in this state:", sizes.join(", "));
        for (cell, value) in state {
            let _ = writeln!(text, "  {cell}: {value}");
        }
    }

    /// How one size is checked; none if the size cannot be given as a constant.
    fn options_at(&self, size: u32) -> Option<crate::Options> {
        let known = |name: &String| self.model.constants.iter().any(|constant| constant.name == *name);
        let all = self.chosen.names.iter().all(known);
        all.then(|| check_options(self.options, self.chosen.constants(self.options, size)))
    }

    /// The check of the least size that is violated.
    fn violated(&self, size: u32) -> Result<Option<Box<Report>>, Failure> {
        let Some(options) = self.options_at(size) else { return Ok(None) };
        let report = check(self.source, &options)?;
        match report.verdict {
            Verdict::Holds => {
                let said =
                    format!("`prove` found a violation at {} = {size}, and `check` does not", self.name());
                Err(Failure::Internal(said))
            }
            _ => Ok(Some(Box::new(report))),
        }
    }

    /// The proof as an object.
    fn certificate(&self, proof: &Proof, proved: &Proved) -> String {
        let mut text = "burnside-proof 1\n".to_owned();
        let _ = writeln!(text, "model {}", burnside_certify::hash(self.source.text()));
        for (name, value) in &self.options.constants {
            let _ = writeln!(text, "constant {name} {value}");
        }
        let _ = writeln!(text, "for-all {}", self.chosen.names.join(" "));
        for (at, (name, bound)) in proved.bound.iter().enumerate() {
            let _ = writeln!(text, "bound {name} {bound}");
            for (count, what) in self.summands(proof, at) {
                let _ = writeln!(text, "summand {count} {what}");
            }
        }
        for clause in &proved.invariant {
            let _ = writeln!(text, "invariant {clause}");
        }
        text + "end\n"
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Whether some rule leads from a start state to another state.
fn moves(model: &Model, semantics: Semantics) -> bool {
    let (mut starts, mut found) = (Vec::new(), false);
    let mut machine = Machine::new(model, semantics);
    // The machine has no deadline.
    let _ = machine.initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            starts.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    for start in starts {
        let _ = machine.successors(&start, &mut |step| {
            found |= matches!(step.outcome, Outcome::State(_)) && !step.stutters;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if found {
            return true;
        }
    }
    false
}
