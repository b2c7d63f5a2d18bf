//! The hall between the doors: what is checked, in which ways, and what comes of it.
//!
//! ```text
//! source --lang::load--> Loaded --plans--> Runs --Engine::run--> Findings --confirm--> Outcome --> Report
//! ```
//!
//! `auto` is a list of plans: each is tried with its budget, and one that gives up is followed by the next. A plan is one
//! or more explorations ([`Runs`]), each by one engine. Where properties are left that the engine cannot decide, decision
//! diagrams are asked for them.

use std::sync::{Mutex, PoisonError};

use burnside_lang::Kind;
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::findings::{Findings, Known as Decided};
use burnside_model::system::PropertyKind;
use burnside_model::{Deadline, Events, Limit, Verdict};
use burnside_report::Report;
use burnside_timed::classes::QueryClass;

use crate::engines::{Task, counting};
use crate::outcome::{AllConfirmed, Outcome};
use crate::running::Known;
use crate::runs::{Planned, Runs};
use crate::subject::{Beyond, Subject};
use crate::summary::Summary;
use crate::witness::{End, confirm_all};
use crate::{Engine, Failure, Options};

/// One plan of `auto`.
struct Plan {
    /// What it is asked to do, with its share of the budget.
    options: Options,
    /// Whether symmetry that only some rules break may be used.
    adapts: bool,
    /// Whether the next plan follows if it comes to no end, and what is said then.
    trial: Option<Diagnostic>,
}

/// The plans for a model, in the order of their promise.
fn plans(subject: &Subject, options: &Options) -> Vec<Plan> {
    let plan = |adapts| Plan { options: options.clone(), adapts, trial: None };
    let Beyond::Rules = subject.beyond else { return vec![plan(false)] };
    let model = &subject.model;
    let mut plans = Vec::new();
    if counting::is_best(model, options) {
        let trial = Some(counting::given_up(model));
        plans.push(Plan { options: counting::on_trial(options), adapts: false, trial });
    }
    plans.push(plan(true));
    plans.push(plan(false));
    plans
}

/// A check of something that was read.
pub(crate) struct Check<'c> {
    pub source: &'c Source,
    pub subject: &'c Subject,
    pub options: &'c Options,
    /// When it must end.
    pub deadline: Deadline,
    /// What someone who watches it may know before its end.
    pub known: Option<&'c Mutex<Known>>,
}

impl Check<'_> {
    /// Tries the plans one after the other.
    pub fn run(&self, mut said: Vec<Diagnostic>, events: &mut dyn Events) -> Result<Report, Failure> {
        if let Some(refused) = self.subject.refuses(self.options) {
            return Err(Failure::Refused(refused));
        }
        for plan in plans(self.subject, self.options) {
            let mut runs = self.subject.runs(&plan.options, plan.adapts);
            self.tell(&runs);
            let outcome = match (self.execute(&mut runs, &plan.options, events), &plan.trial) {
                (Ok(Some(outcome)), _) => outcome,
                (Ok(None), _) | (Err(Failure::Refused(_)), Some(_)) => continue,
                (Err(failure), _) => return Err(failure),
            };
            match &plan.trial {
                Some(why) if self.gave_up(&outcome) => said.push(why.clone()),
                _ => return Ok(self.report(&runs, outcome, said)),
            }
        }
        Err(Failure::Internal("no plan came to an end".to_owned()))
    }

    /// Tells whoever watches what is being done.
    fn tell(&self, runs: &Runs) {
        let Some(known) = self.known else { return };
        let nothing = Findings { limit: Some(Limit::Time), ..Findings::default() };
        let outcome = Outcome::new(self.subject.unknown(self.options), (nothing, Vec::new()));
        let report = self.report(runs, outcome, Vec::new());
        known.lock().unwrap_or_else(PoisonError::into_inner).report = Some(report);
    }

    /// Whether a trial came to no end before anything was found.
    fn gave_up(&self, outcome: &Outcome) -> bool {
        let found = &outcome.found;
        let violated = found.properties.iter().any(|property| property.verdict() == Verdict::Violated);
        !violated && matches!(found.limit, Some(Limit::Time | Limit::Memory)) && !self.deadline.has_passed()
    }

    fn report(&self, runs: &Runs, outcome: Outcome, diagnostics: Vec<Diagnostic>) -> Report {
        let Check { source, subject, options, .. } = *self;
        Summary { source: subject.text(source), options, subject, runs, diagnostics }.report(outcome)
    }

    /// Makes the explorations; `runs` becomes what was really done. Nothing if adapting does not pay.
    fn execute(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        let mut together: Option<Outcome> = None;
        for planned in &runs.planned {
            if let Some(outcome) = &mut together
                && outcome.is_over(self.subject.network().is_some())
            {
                outcome.leave();
                continue;
            }
            let explored = self.explore(planned, events);
            let astray = match &explored {
                Ok(Some((found, confirmed))) => {
                    found.complete && confirmed.iter().flatten().any(|run| run.end.is_fault())
                }
                Err(Failure::Internal(_)) => true,
                Ok(None) | Err(_) => false,
            };
            if runs.watched && astray {
                let warnings = std::mem::take(&mut runs.warnings);
                let options = Options { resume: None, ..options.clone() };
                *runs = Runs { warnings, ..self.subject.plain(&options) };
                return self.execute(runs, &options, events);
            }
            let Some((found, confirmed)) = explored? else { return Ok(None) };
            match &mut together {
                None => {
                    let unknown = self.subject.unknown(self.options);
                    together = Some(Outcome::new(unknown, (found, confirmed)));
                }
                Some(outcome) => outcome.add(found, confirmed, &planned.decides),
            }
        }
        let nothing = || Failure::Internal("there is nothing to explore".to_owned());
        let mut outcome = together.ok_or_else(nothing)?;
        self.finish_by_symmetry(runs, &mut outcome, options, events)?;
        self.finish_with_diagrams(runs, &mut outcome, options, events)?;
        Ok(Some(outcome))
    }

    /// One exploration, and the execution of what it found.
    fn explore(
        &self,
        planned: &Planned,
        events: &mut dyn Events,
    ) -> Result<Option<(Findings, AllConfirmed)>, Failure> {
        let Planned { model, network, plan, options, engine, .. } = planned;
        let mut limits = options.limits.clone();
        let left = self.deadline.left();
        limits.time = limits.time.map(|time| left.map_or(time, |left| left.min(time)));
        let (source, original) = (self.source, &self.subject.model);
        let (chains, threads) = match &self.subject.beyond {
            Beyond::Chains(chains) => (Some(&**chains), None),
            Beyond::Threads(threads) => (None, Some(threads)),
            Beyond::Rules | Beyond::Network(_) => (None, None),
        };
        let network = network.as_ref();
        let task = Task { source, model, original, network, chains, threads, options, limits, plan };
        if engine.explores() != self.subject.kind() {
            let (name, of) = (engine.name(), self.subject.kind().of_models());
            return Err(Failure::Refused(format!("the engine `{name}` is not for {of}")));
        }
        if let Some(refused) = engine.refuses(&task) {
            return Err(Failure::Refused(refused));
        }
        let Some(found) = engine.run(&task, events)? else { return Ok(None) };
        let (mut found, confirmed) = confirm_all(&task, found, engine.lift(&task))?;
        if network.is_some() {
            // The network has only the queries that are asked here.
            for property in &mut found.properties {
                property.index = property.index.map(|query| planned.decides[query]);
            }
        }
        Ok(Some((found, confirmed)))
    }

    /// Queries that are like others up to names get their answers, with runs under other names that were executed. Where
    /// that fails, they are asked alone.
    fn finish_by_symmetry(
        &self,
        runs: &mut Runs,
        outcome: &mut Outcome,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<(), Failure> {
        let (Some(network), Some(classes)) = (self.subject.network(), &runs.classes) else { return Ok(()) };
        for alike in &classes.alike {
            let Some((result, confirmed)) = outcome.of_property(alike.of) else { continue };
            let (mut result, mut confirmed) = (result.clone(), confirmed.to_vec());
            let mut renamed = true;
            for end in confirmed.iter_mut().map(|confirmed| &mut confirmed.end) {
                let End::Timed(Some(run), _) = end else { continue };
                let wrong = |_| Failure::Internal("a run under other names cannot be executed".to_owned());
                match classes.renamed(alike, run).map_err(wrong)? {
                    Some(other) => **run = other,
                    None => renamed = false,
                }
            }
            if !renamed {
                let alone = QueryClass::new(network, vec![alike.query], false);
                let planned = Runs::of_class(&alone, options);
                if let Some((found, confirmed)) = self.explore(&planned, events)? {
                    outcome.add(found, confirmed, &planned.decides);
                    runs.planned.push(planned);
                }
                continue;
            }
            if result.known != Decided::Unknown && result.reason.is_none() {
                let of = network.queries[alike.of].position + 1;
                result.reason = Some(format!("by symmetry, as query {of}"));
            }
            result.index = Some(alike.query);
            result.name.clone_from(&network.queries[alike.query].text);
            outcome.decide(result, confirmed);
        }
        Ok(())
    }

    /// Decision diagrams decide those formulas of CTL that were refused.
    fn finish_with_diagrams(
        &self,
        runs: &mut Runs,
        outcome: &mut Outcome,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<(), Failure> {
        let refused = outcome.found.properties.iter().filter(|property| {
            property.kind == PropertyKind::Ctl
                && property.known == Decided::Unknown
                && property.reason.is_some()
        });
        let decides: Vec<usize> = refused.filter_map(|property| property.index).collect();
        let of_one_search =
            options.certificate.is_some() || options.checkpoint.is_some() || options.resume.is_some();
        let rules = self.subject.kind() == Kind::Rules;
        if decides.is_empty() || options.engine != Engine::Auto || of_one_search || !rules {
            return Ok(());
        }
        let planned = Runs::with_diagrams(&self.subject.model, decides, options);
        match self.explore(&planned, events) {
            Ok(Some((found, confirmed))) => {
                outcome.add_beside(found, confirmed, &planned.decides);
                runs.planned.push(planned);
            }
            Ok(None) => {}
            Err(Failure::Refused(why)) => {
                for property in &mut outcome.found.properties {
                    if property.index.is_some_and(|index| planned.decides.contains(&index)) {
                        property.reason = Some(why.clone());
                    }
                }
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }
}
