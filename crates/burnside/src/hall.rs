//! The hall between the doors: what is checked, in which ways, and what comes of it.
//!
//! ```text
//! source --lang::load--> Loaded --plans--> Runs --Engine::run--> Findings --confirm--> Outcome --> Report
//! ```
//!
//! A plan is one or more explorations ([`Runs`]), each by one engine; where there are several, they take turns
//! ([`crate::rounds`]). With `auto`, engines may race ([`crate::race`]). Where properties are left that the engine cannot decide, decision
//! diagrams are asked for them.

use burnside_lang::Kind;
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::findings::{Findings, Known as Decided};
use burnside_model::system::PropertyKind;
use burnside_model::{Deadline, Events, Limit};
use burnside_report::Report;
use burnside_timed::classes::QueryClass;

use crate::engines::Task;
use crate::outcome::{AllConfirmed, Outcome};
use crate::race;
use crate::rounds::interleaves;
use crate::runs::{Planned, Runs};
use crate::subject::{Beyond, Subject};
use crate::summary::Summary;
use crate::witness::{End, confirm_all};
use crate::{Engine, Failure, Options};

/// One plan.
pub(crate) struct Plan {
    /// What it is asked to do, with its share of the budget.
    pub options: Options,
    /// Whether symmetry that only some rules break may be used.
    pub adapts: bool,
}

/// The plans to search state by state: the second is for where adapting does not pay.
pub(crate) fn by_states(options: &Options) -> Vec<Plan> {
    [true, false].map(|adapts| Plan { options: options.clone(), adapts }).into()
}

/// A check of something that was read.
pub(crate) struct Check<'c> {
    pub source: &'c Source,
    pub subject: &'c Subject,
    pub options: &'c Options,
    /// When it must end.
    pub deadline: Deadline,
    /// Hears what is being done, as a report in which nothing is found.
    pub tell: &'c dyn Fn(Report),
}

impl Check<'_> {
    /// Chooses who does it; `said` are warnings so far.
    pub fn run(&self, said: Vec<Diagnostic>, events: &mut dyn Events) -> Result<Report, Failure> {
        if let Some(refused) = self.subject.refuses(self.options) {
            return Err(Failure::Refused(refused));
        }
        if race::is_open(self.subject, self.options) {
            return race::run(self, said, events);
        }
        let plans = match self.subject.beyond {
            Beyond::Rules => by_states(self.options),
            _ => vec![Plan { options: self.options.clone(), adapts: false }],
        };
        self.try_plans(plans, said, events)
    }

    /// Tries plans one after the other, until one does not give up.
    pub fn try_plans(
        &self,
        plans: Vec<Plan>,
        said: Vec<Diagnostic>,
        events: &mut dyn Events,
    ) -> Result<Report, Failure> {
        for plan in plans {
            let mut runs = self.subject.runs(&plan.options, plan.adapts);
            self.tell(&runs);
            let glanced = self.glance(&mut runs, &plan.options, events)?;
            let outcome = match glanced {
                None => self.execute(&mut runs, &plan.options, events)?,
                done => done,
            };
            if let Some(outcome) = outcome {
                return Ok(self.report(&runs, outcome, said));
            }
        }
        Err(Failure::Internal("no plan came to an end".to_owned()))
    }

    /// Tells whoever watches what is being done.
    fn tell(&self, runs: &Runs) {
        let nothing = Findings { limit: Some(Limit::Time), ..Findings::default() };
        let outcome = Outcome::new(self.subject.unknown(self.options), (nothing, Vec::new()));
        (self.tell)(self.report(runs, outcome, Vec::new()));
    }

    fn report(&self, runs: &Runs, outcome: Outcome, diagnostics: Vec<Diagnostic>) -> Report {
        let Check { source, subject, options, .. } = *self;
        Summary { source: subject.text(source), options, subject, runs, diagnostics }.report(outcome)
    }

    /// Makes the explorations; `runs` becomes what was really done. Nothing if adapting does not pay.
    pub(crate) fn execute(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        let turns = runs.planned.len() > 1 && self.subject.network().is_none();
        let made = match turns && interleaves(&self.subject.model, options) {
            true => self.in_rounds(runs, options, events)?,
            false => self.one_after_the_other(runs, options, events)?,
        };
        let Some(mut outcome) = made else { return Ok(None) };
        if outcome.found.limit == Some(Limit::States) {
            return Ok(Some(outcome));
        }
        self.finish_by_symmetry(runs, &mut outcome, options, events)?;
        self.finish_with_diagrams(runs, &mut outcome, options, events)?;
        Ok(Some(outcome))
    }

    /// Makes the explorations in their order.
    fn one_after_the_other(
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
            if runs.watched && is_astray(&explored) {
                return self.as_it_is(runs, options, events);
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
        together.map(Some).ok_or_else(nothing)
    }

    /// Explores the model as it is, instead.
    pub(crate) fn as_it_is(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        let warnings = std::mem::take(&mut runs.warnings);
        let options = Options { resume: None, ..options.clone() };
        *runs = Runs { warnings, ..self.subject.plain(&options) };
        self.one_after_the_other(runs, &options, events)
    }

    /// One exploration, and the execution of what it found.
    pub(crate) fn explore(
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
        let Some(mut found) = engine.run(&task, events)? else { return Ok(None) };
        found.leave_faulty_open();
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

/// Whether an exploration went wrong at run time, which the model as it is may not do.
pub(crate) fn is_astray(explored: &Result<Option<(Findings, AllConfirmed)>, Failure>) -> bool {
    match explored {
        Ok(Some((found, confirmed))) => {
            found.complete && confirmed.iter().flatten().any(|run| run.end.is_fault())
        }
        Err(Failure::Internal(_)) => true,
        Ok(None) | Err(_) => false,
    }
}
