//! From what the engine found to the report: names, places and words.

use std::collections::BTreeSet;
use std::time::Duration;

use burnside_lang::Kind;
use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::code::{Cell, LocalId};
use burnside_model::findings::{self, Findings, Lasso, PropertyResult, TemporalGroup};
use burnside_model::system::{Logic, Property, PropertyKind};
use burnside_model::{Count, Deadline, DeadlockMode, Model, Reason, ReasonKind, Span, Verdict};
use burnside_report::{
    Asymmetric, Course, Edges, Failing, Nodes, Place, PropertyReport, Report, RuleCount, Run, Sat, Stored,
    SymmetryReport, TraceReport, Value, Violation, Warning, trace,
};
use burnside_symmetry::partial::{Blocks, Invariance, Telling};

use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::runs::Runs;
use crate::subject::{Beyond, Subject};
use crate::why::{Explainer, Judged};
use crate::witness::{Confirmed, End};
use crate::{Engine, Options, group, memory, on_the_fly, timed};

/// How long the states of a run are explained.
const TELLING: Duration = Duration::from_secs(2);

/// What a report is made from.
pub(crate) struct Summary<'a> {
    pub source: &'a Source,
    pub options: &'a Options,
    pub subject: &'a Subject,
    pub runs: &'a Runs,
    /// The warnings of the front end.
    pub diagnostics: Vec<Diagnostic>,
}

impl Summary<'_> {
    /// The report; whoever began the check adds how long it took.
    pub fn report(self, outcome: Outcome) -> Report {
        let runs = self.several(&outcome);
        let warnings = self.warnings(&outcome.found);
        let Outcome { found, confirmed, .. } = outcome;
        let all = found.properties.iter().zip(&confirmed);
        let properties: Vec<_> = match self.subject.network() {
            Some(network) => {
                let queries = self.options.queries.as_ref().unwrap_or(self.source);
                timed::Words { source: self.source, queries, network, options: self.options }.properties(all)
            }
            None => all.map(|(property, confirmed)| self.property(property, confirmed)).collect(),
        };
        let first = &self.runs.planned[0];
        let model = self.model();
        Report {
            model: self.source.name().to_owned(),
            language: self.options.language_of(self.source).name().to_owned(),
            constants: model
                .constants
                .iter()
                .map(|c| (c.name.clone(), Value::new(&model.types, c.ty, c.value)))
                .collect(),
            verdict: verdict(&properties, &found),
            properties,
            engine: first.engine_name().to_owned(),
            reduction: found.own.as_ref().map_or_else(|| first.reduction(), |own| own.reduction).to_owned(),
            exact: found.exact,
            symmetry: self.symmetry(&found),
            stored: match &found.own {
                Some(own) if own.counts => Stored::Counts,
                Some(_) => Stored::Representatives,
                None => first.stored(),
            },
            states: found.states.to_u64().unwrap_or(u64::MAX),
            states_text: found.states.to_u64().is_none().then(|| found.states.to_string()),
            orbits: found.orbits.filter(|_| !found.exact),
            full_states: found.full_states.as_ref().and_then(Count::to_u128),
            rules_fired: found.rules_fired,
            depth: found.depth,
            time: std::time::Duration::ZERO,
            peak_memory: memory::peak_memory().unwrap_or(found.memory),
            limit: found.limit,
            edges: found.edges.map(|edges| Edges {
                count: edges.count,
                permutations: edges.permutations,
                bytes: edges.bytes,
            }),
            nodes: found.nodes.map(|nodes| Nodes {
                peak: nodes.peak,
                live: nodes.live,
                relation: nodes.relation,
            }),
            sat: found.sat.map(|sat| Sat {
                frames: sat.frames,
                clauses: sat.clauses,
                orbits: sat.orbits,
                steps: sat.steps,
                queries: sat.queries,
            }),
            assumptions: self.assumptions(&found),
            runs,
            warnings,
            rules: self.rules(&found.per_rule),
            course: Course::default(),
        }
    }

    /// The model as it was read.
    fn model(&self) -> &Model {
        &self.subject.model
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
        self.model().rules.iter().zip(fired).map(count).collect()
    }

    /// The plan of the first exploration.
    fn plan(&self) -> &Plan {
        &self.runs.planned[0].plan
    }

    fn assumptions(&self, exploration: &Findings) -> Vec<String> {
        let run = &self.runs.planned[0];
        let trusted = run.plan.trusted.iter().map(|domain| {
            let name = &run.model.types.domain(*domain).name;
            format!("the elements of `{name}` are interchangeable (--trust-symmetry)")
        });
        let generators = run.plan.trusted_generators.iter();
        let generators =
            generators.map(|name| format!("the generator \"{name}\" is a symmetry (--trust-symmetry)"));
        let on_the_fly = exploration.on_the_fly.as_ref().map_or_else(Vec::new, on_the_fly::assumptions);
        trusted.chain(generators).chain(on_the_fly).chain(assumptions(&run.plan, exploration)).collect()
    }

    fn symmetry(&self, found: &Findings) -> SymmetryReport {
        if let Some(how) = &self.plan().on_the_fly {
            return on_the_fly::report(how, found.on_the_fly.as_ref(), self.model(), self.source);
        }
        if let Some(own) = &found.own {
            return SymmetryReport {
                generators: own.generators.clone(),
                structure: own.structure.clone(),
                order: own.order.clone(),
                verified: true,
                derived: own.derived.to_owned(),
                ..SymmetryReport::default()
            };
        }
        let asymmetric = self.plan().partial.iter().flat_map(|left| self.asymmetric(left)).collect();
        SymmetryReport { asymmetric, ..group::report(&self.runs.planned[0], self.runs.derived) }
    }

    /// What tells elements apart.
    fn asymmetric(&self, left: &Invariance) -> Vec<Asymmetric> {
        let asymmetric = |telling: &Telling| {
            let (kind, name, span) = if telling.rule {
                let rule = &self.model().rules[telling.index];
                ("rule", &rule.name, rule.span)
            } else {
                let property = &self.model().properties[telling.index];
                (property.kind.name(), &property.name, property.span)
            };
            let why = telling.refusals.first();
            Asymmetric {
                kind: kind.to_owned(),
                name: name.clone(),
                blocks: self.blocks(left, &telling.blocks),
                reason: why
                    .map_or_else(|| "it cannot be proved symmetric".to_owned(), |why| why.reason.clone()),
                place: Some(self.place(why.map_or(span, |why| why.span))),
            }
        };
        left.telling.iter().map(asymmetric).collect()
    }

    /// Blocks with the names of their elements.
    fn blocks(&self, left: &Invariance, blocks: &Blocks) -> String {
        let named: Vec<String> = (left.domains.iter().zip(&left.sizes))
            .flat_map(|(domain, size)| {
                (0..*size).map(|i| self.runs.planned[0].model.types.element_name(*domain, i))
            })
            .collect();
        let list = |block: Vec<u32>| {
            let names: Vec<_> = block.iter().map(|element| named[*element as usize].as_str()).collect();
            format!("{{{}}}", names.join(" "))
        };
        blocks.blocks().into_iter().map(list).collect::<Vec<_>>().join(" ")
    }

    /// The explorations, if there are several, and the smaller groups under which formulas were decided.
    fn several(&self, outcome: &Outcome) -> Vec<Run> {
        let names = |properties: &[usize]| -> Vec<String> {
            if let Some(network) = self.subject.network() {
                return properties.iter().map(|query| network.queries[*query].text.clone()).collect();
            }
            let stated = properties.iter().map(|i| &self.model().properties[*i]);
            let claims = stated.filter(|property| property.kind.is_decided());
            claims.map(|property| property.name.clone()).collect()
        };
        if let Some(found) = &outcome.found.on_the_fly {
            let checks = &outcome.found.properties;
            let run = |run: &findings::OnTheFlyRun| Run {
                properties: run.checks.iter().map(|check| checks[*check].name.clone()).collect(),
                engine: "bdd".to_owned(),
                reduction: "on-the-fly".to_owned(),
                symmetry: run.structure.clone(),
                states: run.states.clone(),
                several: true,
                tried: None,
            };
            return if found.runs.len() > 1 { found.runs.iter().map(run).collect() } else { Vec::new() };
        }
        if let Kind::Chance = self.subject.kind() {
            return quotients(&outcome.found);
        }
        let mut runs = Vec::new();
        for (at, (planned, states)) in self.runs.planned.iter().zip(&outcome.states).enumerate() {
            let plan = &planned.plan;
            let (engine, reduction) = (planned.engine_name(), planned.reduction());
            let groups: Vec<&TemporalGroup> =
                outcome.groups.iter().filter(|(run, _)| *run == at).map(|(_, group)| group).collect();
            let mut decides = planned.decides.clone();
            decides.retain(|property| !groups.iter().any(|group| group.properties.contains(property)));
            let run = |properties: &[usize], symmetry: String, states: &str| Run {
                properties: names(properties),
                engine: engine.to_owned(),
                reduction: if symmetry == "trivial" { "none" } else { reduction }.to_owned(),
                symmetry,
                states: states.to_owned(),
                several: false,
                tried: None,
            };
            runs.push(run(&decides, group::report(planned, self.runs.derived).structure, states));
            for of in groups {
                let structure = group::structure_of(&planned.model, &plan.domains, &of.moving);
                runs.push(run(&of.properties, structure, &of.states));
            }
        }
        if runs.len() > 1 { runs } else { Vec::new() }
    }

    /// All warnings, in the order in which they arose.
    fn warnings(&self, exploration: &Findings) -> Vec<Warning> {
        let mut all: Vec<_> = self
            .diagnostics
            .iter()
            .chain(&self.runs.warnings)
            .chain(&self.plan().warnings)
            .cloned()
            .collect();
        let mut lines = BTreeSet::new();
        for span in &exploration.undefined_copies {
            let place = self.place(*span);
            if lines.insert((place.file, place.line)) {
                let message = "an undefined value is copied or compared here";
                all.push(
                    Diagnostic::warning(codes::UNDEFINED_COPIED, *span, message).help(
                        "`--undefined copy` makes comparing it an error, `--undefined error` copying too",
                    ),
                );
            }
        }
        let nothing = exploration.states == 0 && exploration.limit.is_none();
        if nothing && !self.model().starts.is_empty() {
            let message = "there is no state: every start state fails or is excluded by an assumption";
            all.push(Diagnostic::warning(codes::NO_START_STATE, self.model().starts[0].span, message));
        }
        if exploration.temporal.unfair {
            let message = "a start state has no fair run: whatever is claimed of all its runs holds";
            all.push(Diagnostic::warning(codes::NO_FAIR_RUN, self.fairness(), message));
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

    /// A place where fairness is asked for.
    fn fairness(&self) -> Span {
        let constraints = self.model().properties.iter().filter(|p| p.kind == PropertyKind::Fairness);
        let rules = self.model().rules.iter().filter(|rule| rule.fairness.is_some()).map(|rule| rule.span);
        let mut all =
            constraints.map(|p| p.span).chain(self.model().fairness.iter().map(|f| f.span)).chain(rules);
        all.next().unwrap_or_default()
    }

    fn property(&self, result: &PropertyResult, confirmed: &[Confirmed]) -> PropertyReport {
        let stated = result.index.map(|index| &self.model().properties[index]);
        let holds = result.verdict() == Verdict::Holds;
        let witness = confirmed.first().filter(|_| holds).map(|confirmed| self.witness(stated, confirmed));
        let shown = confirmed.iter().filter(|_| !holds);
        let mut violations: Vec<_> = shown.map(|confirmed| self.violation(stated, confirmed)).collect();
        if let Some(cover) = stated
            && result.kind == PropertyKind::Cover
            && result.verdict() == Verdict::Violated
        {
            let error = Diagnostic::error(Code("cover"), cover.span, "this is never reached");
            violations.push(self.placed(&error, TraceReport::default()));
        }
        let named = stated.is_some_and(|property| property.named);
        let error = result.flaw.as_ref().map(|flaw| {
            let mut mistake = Diagnostic::error(Code(flaw.code), flaw.span, &flaw.message);
            mistake.help.clone_from(&flaw.help);
            mistake.render(self.source, self.options.color)
        });
        PropertyReport {
            named,
            place: stated.map(|property| self.place(property.span)),
            covered: result.covered,
            reason: result.flaw.as_ref().map(|flaw| flaw.message.clone()).or_else(|| self.reason(result)),
            violations,
            witness,
            error,
            measured: result.measured.clone(),
            ..PropertyReport::new(&result.name, result.kind, result.verdict())
        }
    }

    /// A run that shows why a formula holds.
    fn witness(&self, stated: Option<&Property>, confirmed: &Confirmed) -> Violation {
        let name = stated.map_or(String::new(), |property| match property.named {
            true => format!("{} \"{}\"", property.kind.name(), property.name),
            false => property.name.clone(),
        });
        let values = match &confirmed.end {
            End::Temporal(lasso) => self.values(stated, lasso),
            _ => String::new(),
        };
        let message = format!("{name} holds{values}, as this run shows");
        let snippet = format!("note: {message}");
        let trace = self.trace(confirmed);
        Violation { message, place: stated.map(|property| self.place(property.span)), snippet, trace }
    }

    /// A run in words, with the invariants that hold in its states.
    fn trace(&self, confirmed: &Confirmed) -> TraceReport {
        let model = self.model();
        let mut trace = TraceReport::new(model, &confirmed.trace);
        let mut explainer = Explainer::new(model, self.source, self.options.semantics);
        explainer.set_deadline(Deadline::new(Some(TELLING), self.options.limits.cancel));
        let stated =
            |property: &&Property| property.kind == PropertyKind::Invariant && !property.is_statement();
        let invariants: Vec<&Property> = model.properties.iter().filter(stated).collect();
        for step in &confirmed.trace.steps {
            let mut fails = Vec::new();
            for property in &invariants {
                match explainer.property(property, &step.state) {
                    Some(Ok(Judged { holds: false, why })) => {
                        fails.push(Failing { property: property.name.clone(), why: why.unwrap_or_default() });
                    }
                    Some(Ok(_)) => {}
                    // What cannot be evaluated in all states is told of none.
                    _ => return TraceReport { fails: Vec::new(), ..trace },
                }
            }
            trace.fails.push(fails);
        }
        trace.judged = invariants.iter().map(|property| property.name.clone()).collect();
        trace
    }

    /// The values of variables for which a run shows something.
    fn values(&self, stated: Option<&Property>, lasso: &Lasso) -> String {
        let value = |(local, value): &(LocalId, Cell)| {
            let local = &stated?.frame[*local];
            Some(format!("{}: {}", local.name, self.model().types.show(local.ty, *value)))
        };
        let values: Vec<String> = lasso.bindings.iter().filter_map(value).collect();
        if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) }
    }

    /// Why a run violates a formula, per step.
    fn reasons(&self, stated: Option<&Property>, confirmed: &Confirmed) -> Vec<Vec<String>> {
        let (Some(property), End::Temporal(lasso)) = (stated, &confirmed.end) else { return Vec::new() };
        let mut reasons = vec![Vec::new(); confirmed.trace.steps.len()];
        for Reason { at, part, bindings, kind } in &confirmed.trace.reasons {
            let text: Vec<&str> = self.source.slice(*part).split_whitespace().collect();
            let mut more = bindings.clone();
            // What is said of the whole run need not be repeated.
            more.retain(|binding| !lasso.bindings.contains(binding));
            let values = self.values(Some(property), &Lasso { bindings: more, ..lasso.clone() });
            let part = format!("{}{values}", text.join(" "));
            reasons[*at].push(match kind {
                ReasonKind::Holds => format!("here {part}"),
                ReasonKind::Fails => format!("here not {part}"),
                ReasonKind::Always => format!("from here on for ever {part}"),
                ReasonKind::Awaited(0) => format!("from here on waiting for {part}"),
                ReasonKind::Awaited(1) => format!("waiting for {part}, one step so far"),
                ReasonKind::Awaited(steps) => format!("waiting for {part}, {steps} steps so far"),
            });
        }
        reasons
    }

    /// Why no engine that was used decided a temporal property; nothing where a limit is the reason.
    fn reason(&self, result: &PropertyResult) -> Option<String> {
        // Why threads are safe is worth a word, too.
        let told = result.verdict() == Verdict::Unknown || self.subject.kind() == Kind::Threads;
        if let (true, Some(why)) = (told, &result.reason) {
            return Some(why.clone());
        }
        let logic = result.kind.logic().filter(|_| result.verdict() == Verdict::Unknown)?;
        // Decided on the fly, unless a limit was hit.
        if self.plan().on_the_fly.is_some() {
            return None;
        }
        match (logic, self.options.engine) {
            _ if self.options.compact => {
                Some("temporal formulas are not decided with `--compact`".to_owned())
            }
            (Logic::Ltl, Engine::Bdd) => Some("ltl is decided by `--engine explicit`".to_owned()),
            _ => None,
        }
    }

    fn violation(&self, stated: Option<&Property>, confirmed: &Confirmed) -> Violation {
        let mut trace = self.trace(confirmed);
        trace.reasons = self.reasons(stated, confirmed);
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
                    stated.map(|p| trace::parameters(&self.model().types, &p.binders, &p.frame, args));
                let named: Vec<_> =
                    parameters.iter().flatten().map(|(name, value)| format!("{name}: {value}")).collect();
                let of = if named.is_empty() { String::new() } else { format!(" for {}", named.join(", ")) };
                let message = format!("liveness {name}can never hold again{of}");
                Diagnostic::error(Code("liveness"), span, message)
            }
            End::Threads(run, message) => {
                let Beyond::Threads(threads) = &self.subject.beyond else { return Violation::default() };
                let snippet = paint(&format!("error: {message}"), self.options.color);
                let trace = TraceReport::of_threads(&threads.system, run);
                return Violation { message: message.clone(), place: None, snippet, trace };
            }
            // Told in the words of timed models.
            End::Timed(..) => Diagnostic::error(Code("query"), span, "does not hold"),
            End::Temporal(shown) => {
                let of = self.values(stated, shown);
                let more = if shown.complete { "" } else { ", for more reasons than one run can show" };
                let kind = stated.map_or("ctl", |property| property.kind.name());
                let message = format!("{kind} {name}does not hold{of}{more}");
                Diagnostic::error(Code(kind), span, message)
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

/// The quotients of a probabilistic model on which its properties were computed, if they are several.
fn quotients(found: &Findings) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for property in &found.properties {
        let Some(measured) = property.measured.as_ref().filter(|measured| measured.value.is_some()) else {
            continue;
        };
        let (states, symmetry) = (measured.states.to_string(), measured.symmetry.as_ref());
        let structure = symmetry.map_or("trivial", |symmetry| &symmetry.structure);
        match runs.iter_mut().find(|run| run.symmetry == structure && run.states == states) {
            Some(run) => run.properties.push(property.name.clone()),
            None => runs.push(Run {
                properties: vec![property.name.clone()],
                engine: "chains".to_owned(),
                reduction: symmetry.map_or("none", |_| "quotient").to_owned(),
                symmetry: structure.to_owned(),
                states,
                several: false,
                tried: None,
            }),
        }
    }
    if runs.len() > 1 { runs } else { Vec::new() }
}

/// The verdict on everything.
fn verdict(properties: &[PropertyReport], found: &Findings) -> Verdict {
    let some = |verdict| properties.iter().any(|property| property.verdict == verdict);
    if some(Verdict::Violated) {
        Verdict::Violated
    } else if some(Verdict::Unknown) || found.limit.is_some() {
        Verdict::Unknown
    } else {
        Verdict::Holds
    }
}

/// What the verdict rests on.
fn assumptions(plan: &Plan, exploration: &Findings) -> Vec<String> {
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
