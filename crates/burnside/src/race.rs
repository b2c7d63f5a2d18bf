//! `auto` where nobody knows which engine is best: they race.
//!
//! The search state by state is mostly the fastest, so it begins. When it has passed some time and states, decision
//! diagrams begin as well, and a while later, counting, where all elements can be counted. Where there are many elements,
//! counting begins, and the search follows. The first answer counts: a violation that was executed, or the end of an
//! exploration that leaves no property open. LTL is decided state by state only, so there is no race.
//!
//! With several threads the engines run side by side. With one they take turns of equal length: an engine that is not on
//! waits where it asks for its deadline ([`Cancel::pause`]). Diagrams and counting have a quarter of the memory between
//! them; if the search ends for want of the rest and nobody else has an answer, it is made once more, alone.
//!
//! With that, the answer takes at most about as many times as long as the best engine alone as there are engines, and the
//! head start. Before diagrams begin, everything is deterministic. After that the verdict is, too, but where several
//! properties are violated, which of them is found first may depend on the time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::system::Logic;
use burnside_model::{Cancel, Deadline, Events, Limit, Progress, Verdict};
use burnside_report::{Report, Run};

use crate::engines::counting;
use crate::hall::{Check, Plan, by_states};
use crate::subject::{Beyond, Subject};
use crate::{Engine, Failure, Options, Reduce, STACK_BYTES, panic_message};

/// Which part of the memory diagrams and counting have each.
const PART: u64 = 8;

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    States,
    Diagrams,
    Counting,
}

impl Name {
    /// The engine's name.
    fn text(self) -> &'static str {
        match self {
            Name::States => "explicit",
            Name::Diagrams => "bdd",
            Name::Counting => "count",
        }
    }
}

/// What someone who takes part says.
enum Said {
    Progress(Progress),
    Level(u64, u64),
    Warning(String),
    Known(Box<Report>),
    Done(Box<Result<Report, Failure>>),
}

/// Someone who has begun.
struct Runner {
    name: Name,
    begun: Instant,
    token: Cancel,
    progress: Progress,
    /// The result, once there is one.
    done: Option<Result<Report, Failure>>,
}

/// Whether engines may race for a model: nothing is asked for that only one of them has, or that would be done by all.
pub(crate) fn is_open(subject: &Subject, options: &Options) -> bool {
    let asks = options.compact
        || options.checkpoint.is_some()
        || options.resume.is_some()
        || options.certificate.is_some()
        || options.trust_symmetry
        || options.limits.bound.is_some()
        || options.canon != Options::default().canon;
    let model = &subject.model;
    options.engine == Engine::Auto
        && options.reduce == Reduce::Auto
        && !asks
        && matches!(subject.beyond, Beyond::Rules)
        && model.generators.is_empty()
        && model.claims.is_empty()
        && !counting::prints(model)
        // Only the search state by state decides those.
        && !model.properties.iter().any(|property| property.kind.logic() == Some(Logic::Ltl))
}

/// A race under way.
struct Race<'r> {
    check: &'r Check<'r>,
    said: Vec<Diagnostic>,
    source: Source,
    subject: Arc<Subject>,
    runners: Vec<Runner>,
    /// Who may still begin, the next one first.
    waiting: Vec<Name>,
    send: Sender<(Name, Said)>,
    /// Whose turn it is, with one thread.
    turn: usize,
}

/// Lets the engines race.
pub(crate) fn run(
    check: &Check<'_>,
    said: Vec<Diagnostic>,
    events: &mut dyn Events,
) -> Result<Report, Failure> {
    let (send, receive) = channel();
    let model = &check.subject.model;
    let many = counting::is_best(model, check.options);
    let waiting = match many {
        true => vec![Name::Counting, Name::States, Name::Diagrams],
        false => vec![Name::States, Name::Diagrams, Name::Counting],
    };
    let race = Race {
        check,
        said,
        source: check.source.clone(),
        subject: Arc::new(Subject { model: check.subject.model.clone(), beyond: Beyond::Rules }),
        runners: Vec::new(),
        waiting,
        send,
        turn: 0,
    };
    race.run(&receive, events)
}

impl Race<'_> {
    fn run(mut self, receive: &Receiver<(Name, Said)>, events: &mut dyn Events) -> Result<Report, Failure> {
        loop {
            let running = |race: &Self| race.runners.iter().any(|runner| runner.done.is_none());
            while (!running(&self) || self.is_time_for_next()) && self.begin_next() {}
            if !running(&self) {
                return self.without_answer(events);
            }
            self.pass_turn();
            let said = receive.recv_timeout(self.check.options.patience.turn).ok();
            if let Some((name, said)) = said
                && let Some(result) = self.hear(name, said, events)
            {
                return self.end(name, result);
            }
        }
    }

    /// Takes what someone said; gives the result that ends the race.
    fn hear(&mut self, name: Name, said: Said, events: &mut dyn Events) -> Option<Result<Report, Failure>> {
        let leads = self.runners.first().is_some_and(|first| first.name == name);
        match said {
            Said::Progress(progress) => {
                let runner = self.runners.iter_mut().find(|runner| runner.name == name)?;
                runner.progress = progress;
                if leads {
                    events.progress(&progress);
                }
            }
            Said::Level(level, states) => events.level(level, states),
            Said::Warning(text) if name == Name::States => events.warning(&text),
            Said::Warning(_) => {}
            Said::Known(report) => {
                if leads {
                    (self.check.tell)(*report);
                }
            }
            Said::Done(result) if self.is_answer(name, &result) => return Some(*result),
            Said::Done(result) => {
                let runner = self.runners.iter_mut().find(|runner| runner.name == name)?;
                runner.done = Some(*result);
            }
        }
        None
    }

    /// Whether a result settles everything. What the search state by state says of a correct model stays as it is; others
    /// may not be able to decide a property, and then say nothing.
    fn is_answer(&self, name: Name, result: &Result<Report, Failure>) -> bool {
        match result {
            Ok(report) => {
                let open = |verdict| verdict == Verdict::Unknown;
                let decided = !report.properties.iter().any(|property| open(property.verdict));
                match report.limit {
                    Some(Limit::MaxErrors) => true,
                    None | Some(Limit::Bound) => decided || name == Name::States,
                    Some(_) => self.check.deadline.has_passed() && name == Name::States,
                }
            }
            Err(_) => name == Name::States,
        }
    }

    /// Whether whoever runs was alone for long enough.
    fn is_time_for_next(&self) -> bool {
        let (Some(first), Some(last)) = (self.runners.first(), self.runners.last()) else { return true };
        let (alone, patience) = (first.begun.elapsed(), &self.check.options.patience);
        let enough = first.progress.states >= patience.few_states || alone >= patience.long;
        match self.runners.len() {
            1 => alone >= patience.alone && (enough || first.name == Name::Counting),
            _ => last.begun.elapsed() >= patience.later,
        }
    }

    /// The next one begins; `false` if there is none.
    fn begin_next(&mut self) -> bool {
        while !self.waiting.is_empty() && !self.is_over() {
            let name = self.waiting.remove(0);
            // Only now: it takes time to find out.
            if name == Name::Counting && !counting::is_possible(&self.subject.model, self.check.options) {
                continue;
            }
            self.begin(name);
            return true;
        }
        false
    }

    /// Whether there is no time for anyone who has not begun.
    fn is_over(&self) -> bool {
        !self.runners.is_empty() && self.check.deadline.has_passed()
    }

    fn begin(&mut self, name: Name) {
        let token = Cancel::child(self.check.options.limits.cancel);
        let mut options = self.check.options.clone();
        options.limits.cancel = Some(token);
        options.limits.time = self.check.deadline.left();
        let part = |memory: u64| match name {
            Name::States => memory - 2 * (memory / PART),
            Name::Diagrams | Name::Counting => memory / PART,
        };
        options.limits.memory = options.limits.memory.map(part);
        let plans = match name {
            Name::States => by_states(&options),
            Name::Diagrams => {
                let options = Options { engine: Engine::Bdd, reduce: Reduce::None, ..options };
                vec![Plan { options, adapts: false }]
            }
            Name::Counting => vec![Plan { options: counting::by_sets(options), adapts: false }],
        };
        let work = Work {
            name,
            source: self.source.clone(),
            subject: self.subject.clone(),
            said: self.said.clone(),
            plans,
            send: self.send.clone(),
        };
        let thread = std::thread::Builder::new().name(name.text().to_owned()).stack_size(STACK_BYTES);
        let done = match thread.spawn(move || work.run()) {
            Ok(_) => None,
            Err(error) => Some(Err(Failure::Internal(format!("cannot start a thread: {error}")))),
        };
        self.runners.push(Runner { name, begun: Instant::now(), token, progress: Progress::default(), done });
    }

    /// With one thread, the next one may go on.
    fn pass_turn(&mut self) {
        if self.check.options.threads.get() > 1 {
            return;
        }
        let count = self.runners.len();
        let next = (1..=count).map(|step| (self.turn + step) % count);
        self.turn = next.into_iter().find(|at| self.runners[*at].done.is_none()).unwrap_or(0);
        for (at, runner) in self.runners.iter().enumerate() {
            runner.token.pause(at != self.turn);
        }
    }

    /// There is an answer: the others end, and the report says that they were tried.
    fn end(mut self, name: Name, result: Result<Report, Failure>) -> Result<Report, Failure> {
        self.stop(name);
        let mut report = result?;
        self.add_tried(name, &mut report);
        Ok(report)
    }

    fn stop(&mut self, winner: Name) {
        for runner in self.runners.iter().filter(|runner| runner.name != winner) {
            runner.token.cancel(Limit::Cancelled);
        }
    }

    /// Notes who else was tried.
    fn add_tried(&self, winner: Name, report: &mut Report) {
        let others = self.runners.iter().filter(|runner| runner.name != winner);
        let tried: Vec<Run> = others.map(Runner::tried).collect();
        if !tried.is_empty() && report.runs.is_empty() {
            report.runs.push(Run::of(report));
        }
        report.runs.extend(tried);
    }

    /// Nobody has an answer. If the search had no room, it has all of it now; else what it knows is all there is.
    fn without_answer(mut self, events: &mut dyn Events) -> Result<Report, Failure> {
        let search = self.runners.iter().position(|runner| runner.name == Name::States).unwrap_or(0);
        let name = self.runners[search].name;
        let mut search = self.runners.remove(search);
        let short = matches!(&search.done, Some(Ok(report)) if report.limit == Some(Limit::Memory));
        let left = !self.check.deadline.has_passed();
        let mut said = self.said.clone();
        let counted = self.runners.iter().find(|runner| runner.name == Name::Counting);
        if counted.is_some_and(|runner| matches!(&runner.done, Some(Ok(_)))) {
            said.push(counting::given_up(&self.subject.model));
        }
        let result = match search.done.take() {
            Some(result) if !short || !left => result,
            _ => {
                let mut options = self.check.options.clone();
                options.limits.time = self.check.deadline.left();
                self.check.try_plans(by_states(&options), said, events)
            }
        };
        let mut report = result?;
        self.add_tried(name, &mut report);
        Ok(report)
    }
}

impl Runner {
    /// That it was tried.
    fn tried(&self) -> Run {
        let ended = match &self.done {
            Some(Ok(report)) => report.limit.map_or("undecided", Limit::name),
            Some(Err(Failure::Refused(_) | Failure::Input(_))) => "refused",
            Some(Err(Failure::Internal(_))) => "failed",
            None => "stopped",
        };
        Run {
            engine: self.name.text().to_owned(),
            states: self.progress.states.to_string(),
            reduction: "none".to_owned(),
            symmetry: "trivial".to_owned(),
            tried: Some((ended.to_owned(), self.begun.elapsed())),
            ..Run::default()
        }
    }
}

/// What one of them does, in a thread of its own.
struct Work {
    name: Name,
    source: Source,
    subject: Arc<Subject>,
    said: Vec<Diagnostic>,
    plans: Vec<Plan>,
    send: Sender<(Name, Said)>,
}

impl Work {
    fn run(self) {
        let Work { name, source, subject, said, plans, send } = self;
        let options = plans.first().map(|plan| plan.options.clone()).unwrap_or_default();
        let tell = |report| {
            let _ = send.send((name, Said::Known(Box::new(report))));
        };
        let deadline: Deadline = options.limits.deadline();
        let check = Check { source: &source, subject: &subject, options: &options, deadline, tell: &tell };
        let mut events = Told { name, send: send.clone() };
        let result = catch_unwind(AssertUnwindSafe(|| check.try_plans(plans, said, &mut events)));
        let result = result.unwrap_or_else(|panic| Err(Failure::Internal(panic_message(panic.as_ref()))));
        // Nobody listens any more if another one was faster.
        let _ = send.send((name, Said::Done(Box::new(result))));
    }
}

/// Passes on what happens.
struct Told {
    name: Name,
    send: Sender<(Name, Said)>,
}

impl Events for Told {
    fn progress(&mut self, progress: &Progress) {
        let _ = self.send.send((self.name, Said::Progress(*progress)));
    }

    fn level(&mut self, level: u64, states: u64) {
        let _ = self.send.send((self.name, Said::Level(level, states)));
    }

    fn warning(&mut self, text: &str) {
        let _ = self.send.send((self.name, Said::Warning(text.to_owned())));
    }
}
