//! Timed automata: a state is a discrete state with the zone of clock values that the walk allows, and a step takes all of
//! them along.
//!
//! Zones are exact here, and nothing is forgotten, so that a condition on clocks means what it says. For the graph of
//! orbits they are extrapolated, as otherwise there may be infinitely many, and the instances are exchanged. What a walk
//! is like with exact times is computed for the walk as a whole: the earliest times at which its steps can be taken.

use burnside_lang::source::Source;
use burnside_lang::{Language, Loaded, Request};
use burnside_model::code::{Cell, Expr, ExprKind, Frame, Semantics, Stop};
use burnside_model::network::{Query, QueryKind};
use burnside_model::{Deadline, Network, Span};
use burnside_report::{Place, TraceReport};
use burnside_symmetry::Action;
use burnside_timed::classes::QueryClass;
use burnside_timed::conditions::{Run, mentions_deadlock};
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::steps::{Standing, Stepper, Taken};
use burnside_timed::stuck::stuck_at;
use burnside_timed::symmetry::Representatives;
use burnside_timed::times::{Leg, timed};
use burnside_timed::zone::{Bound, Constraint, Extrapolation, Federation, Zone};

use super::world::{Facts, Move, Orbit, STOPPED, StateId, States, Status, Told, View, Walked, World};
use crate::timed_trace::Teller;
use crate::why::Explainer;
use crate::{Options, group};

/// A discrete state and its zone.
type Symbolic = (Vec<Cell>, Zone);

/// A network to walk.
pub(crate) struct Timed<'m> {
    source: &'m Source,
    queries: &'m Source,
    options: &'m Options,
    network: &'m Network,
    explorer: Explorer<'m>,
    teller: Teller<'m>,
    explainer: Explainer<'m>,
    symmetry: Option<(&'m QueryClass, Representatives<'m>)>,
    states: States<Symbolic>,
    terms: Vec<Term>,
}

/// A condition with the network that it was read in.
struct Term {
    source: Source,
    network: Network,
    frame: Frame,
    expr: Expr,
    /// Whether it is a condition.
    condition: bool,
}

/// How zones are stored: as they are.
const EXACT: Abstraction = Abstraction { extrapolation: None, local: true, covering: Covering::Equality };

fn told(stop: Stop) -> String {
    match stop {
        Stop::Fault(fault) => fault.message,
        Stop::Assumption => "an assumption does not hold".to_owned(),
        Stop::Deadline => STOPPED.to_owned(),
    }
}

impl<'m> Timed<'m> {
    /// A network, under the symmetry that its queries leave.
    pub fn new(
        source: &'m Source,
        options: &'m Options,
        network: &'m Network,
        class: Option<&'m QueryClass>,
    ) -> Told<Self> {
        let queries = options.queries.as_ref().unwrap_or(source);
        let explorer = Explorer::new(network, &[], EXACT).map_err(told)?;
        let symmetric = class.filter(|class| !class.domains.is_empty());
        let symmetry = symmetric.map(|class| {
            let clocks = &explorer.moves.stepper.clocks;
            (class, Representatives::new(&class.network, clocks, &class.domains))
        });
        Ok(Timed {
            source,
            queries,
            options,
            network,
            teller: Teller::new(network, None).map_err(told)?,
            explainer: Explainer::new(&network.model, queries, Semantics::default()),
            explorer,
            symmetry,
            states: States::new(),
            terms: Vec::new(),
        })
    }

    fn state(&self, number: StateId) -> Told<Symbolic> {
        self.states.get(number).cloned().ok_or_else(|| format!("there is no state {number}"))
    }

    fn place(&self, source: &Source, span: Span) -> Place {
        let location = source.location(span.start);
        Place { file: location.file.to_owned(), line: location.line, column: location.column }
    }

    /// Lets time pass.
    fn settled(&mut self, state: &[Cell], mut zone: Zone, standing: &Standing) -> Run<Zone> {
        if !self.explorer.moves.is_still(state, standing)? {
            zone.up_but(&standing.stopped);
            zone.constrain_all(&standing.invariant);
        }
        Ok(zone)
    }

    /// The steps of a state, with the edges of each.
    fn steps(&mut self, number: StateId) -> Told<Vec<(Move, Vec<Taken>)>> {
        let (state, zone) = self.state(number)?;
        let discrete = self.explorer.intern(&state, &zone);
        let place = self.explorer.place(discrete, &zone).map_err(told)?;
        let mut moves = Vec::new();
        for (at, step) in place.steps.iter().enumerate() {
            let targets: Vec<Result<StateId, String>> =
                match self.explorer.moves.successors(&place, at, &zone) {
                    Ok(found) => {
                        let mut targets = Vec::new();
                        for (reached, after) in found {
                            let settled = self.settled(&reached.0.state, after, &reached.1).map_err(told)?;
                            targets.push(Ok(self.states.number((reached.0.state.clone(), settled))));
                        }
                        targets
                    }
                    Err(Stop::Fault(fault)) => vec![Err(fault.message)],
                    Err(other) => return Err(told(other)),
                };
            for to in targets {
                let taken = self.explorer.moves.stepper.taken(step);
                moves.push((self.words(&taken, step.channel, &step.guard, to), taken));
            }
        }
        Ok(moves)
    }

    /// A step in words.
    fn words(
        &self,
        taken: &[Taken],
        channel: Option<u32>,
        guard: &[Constraint],
        to: Result<StateId, String>,
    ) -> Move {
        let edges: Vec<_> = taken.iter().map(|taken| self.teller.edge(taken)).collect();
        let texts: Vec<String> =
            edges.iter().map(|edge| format!("{}: {} -> {}", edge.process, edge.from, edge.to)).collect();
        let channel = channel.map(|cell| format!("on {}", self.teller.channel(cell)));
        let asked: Vec<String> = guard.iter().map(|constraint| self.constraint(*constraint)).collect();
        let asked = (!asked.is_empty()).then(|| format!("when {}", asked.join(", ")));
        let notes: Vec<String> = channel.into_iter().chain(asked).collect();
        Move {
            rule: texts.join(", "),
            parameters: Vec::new(),
            process: edges.first().map(|edge| edge.process.clone()),
            place: taken
                .first()
                .map(|taken| self.place(self.source, self.network.model.rules[taken.edge as usize].span)),
            note: (!notes.is_empty()).then(|| notes.join(", ")),
            chance: None,
            to,
        }
    }

    /// A bound on a clock or a difference of two.
    fn constraint(&self, Constraint { left, right, bound }: Constraint) -> String {
        let value = bound.value().unwrap_or(0);
        let name = |clock| self.teller.clock(clock);
        match (left, right) {
            (0, clock) => {
                format!("{} {} {}", name(clock), if bound.is_strict() { ">" } else { ">=" }, -value)
            }
            (clock, 0) => format!("{} {} {value}", name(clock), if bound.is_strict() { "<" } else { "<=" }),
            (left, right) => {
                let sign = if bound.is_strict() { "<" } else { "<=" };
                format!("{} - {} {sign} {value}", name(left), name(right))
            }
        }
    }

    /// The interval of each clock.
    fn clocks(&self, zone: &Zone) -> Vec<(String, String)> {
        let interval = |clock: usize| {
            let (low, high) = (zone.at(0, clock), zone.at(clock, 0));
            let (open, least) = (if low.is_strict() { '(' } else { '[' }, -low.value().unwrap_or(0));
            let values = match high.value() {
                Some(most) if most == least => least.to_string(),
                Some(most) => format!("{open}{least}, {most}{}", if high.is_strict() { ')' } else { ']' }),
                None => format!("{open}{least}, ∞)"),
            };
            (self.teller.clock(clock).to_owned(), values)
        };
        (1..zone.dimension()).map(interval).collect()
    }

    /// What is known of the differences of clocks: those that are fixed, and bounds that do not follow from others.
    fn differences(&self, zone: &Zone) -> Vec<String> {
        let fixed = |a: usize, b: usize| {
            let value = zone.at(a, b).value()?;
            (zone.at(a, b) + zone.at(b, a) == Bound::LE_ZERO).then_some(value)
        };
        // A clock that is at a fixed distance from an earlier one is told once.
        let leader = |clock: usize| (1..clock).find(|other| fixed(*other, clock).is_some());
        let mut told = Vec::new();
        for clock in 1..zone.dimension() {
            let Some(first) = leader(clock).filter(|_| fixed(0, clock).is_none()) else { continue };
            let (a, b) = (self.teller.clock(first), self.teller.clock(clock));
            told.push(match fixed(first, clock) {
                Some(0) | None => format!("{a} = {b}"),
                Some(distance) => format!("{a} - {b} = {distance}"),
            });
        }
        let others = zone.minimal_constraints();
        let others =
            others.iter().filter(|c| c.left != 0 && c.right != 0 && fixed(c.left, c.right).is_none());
        told.extend(others.map(|c| self.constraint(*c)));
        told
    }

    /// How a query stands: whether what it is about holds for some or for all of the clock values here.
    fn status(&mut self, query: &Query, state: &[Cell], zone: &Zone) -> Status {
        let (condition, always) = match &query.kind {
            QueryKind::Possibly(p) | QueryKind::Eventually(p) => (Some(p), false),
            QueryKind::Invariantly(p) | QueryKind::PotentiallyAlways(p) => (Some(p), true),
            _ => (None, false),
        };
        let timed = |expr: &Expr| self.network.reads_clock(expr) || mentions_deadlock(self.network, expr);
        let decided = matches!(query.kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_));
        let (mut holds, mut why) = (None, None);
        match condition {
            Some(expr) if timed(expr) => {
                let mut at = |wanted| {
                    points(&mut self.explorer.moves.stepper, &query.frame, expr, wanted, state, zone)
                };
                match (at(true), at(false)) {
                    (Ok(some), Ok(others)) => {
                        let (some, all) = (!some.is_empty(), others.is_empty());
                        holds = Some(if always { all } else { some });
                        let how = match (some, all) {
                            (_, true) => "holds for all clock values here",
                            (true, false) => "holds for some of the clock values here",
                            (false, false) => "holds for none of the clock values here",
                        };
                        why = Some(how.to_owned());
                    }
                    (Err(stop), _) | (_, Err(stop)) => why = Some(told(stop)),
                }
            }
            Some(expr) => match self.explainer.condition(&query.frame, expr, state) {
                Ok(judged) => (holds, why) = (Some(judged.holds), judged.why),
                Err(fault) => why = Some(fault),
            },
            None => {}
        }
        Status {
            name: query.text.clone(),
            kind: "query",
            holds: holds.filter(|_| decided),
            why,
            place: Some(self.place(self.queries, query.span)),
        }
    }
}

/// The clock values for which a condition holds, or does not.
fn points(
    stepper: &mut Stepper,
    frame: &Frame,
    expr: &Expr,
    wanted: bool,
    state: &[Cell],
    zone: &Zone,
) -> Run<Federation> {
    let stuck = match mentions_deadlock(stepper.network, expr) {
        true => stuck_at(stepper, state, zone)?,
        false => Federation::none(),
    };
    let mut conditions = stepper.conditions(state);
    conditions.interpreter.enter(frame);
    conditions.points(frame, expr, wanted, zone, &|| stuck.clone())
}

impl World for Timed<'_> {
    fn facts(&self) -> Facts {
        let symmetry = self.symmetry.as_ref().map(|(class, _)| {
            let model = &class.network.model;
            (group::structure(model, &class.domains), Action::new(model, &class.domains).order_string())
        });
        let process = self.network.processes.first();
        let example = process.map(|process| {
            let params = process.params.first().map(|ty| self.network.model.types.bounds(*ty).0);
            let instance = params.map_or(String::new(), |value| format!("({value})"));
            let location = process.locations.last().map_or(String::new(), |location| location.name.clone());
            format!("{}{instance}.{location}", process.name)
        });
        Facts {
            language: Language::Uppaal.name().to_owned(),
            constants: Vec::new(),
            symmetry,
            example: example.unwrap_or_default(),
        }
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.explainer.set_deadline(deadline);
    }

    fn starts(&mut self) -> Told<Vec<Move>> {
        let start = self.explorer.moves.stepper.start().map_err(told)?;
        let Some((state, zone, standing)) = self.explorer.moves.entry(start).map_err(told)? else {
            return Ok(Vec::new());
        };
        let zone = self.settled(&state, zone, &standing).map_err(told)?;
        Ok(vec![Move {
            rule: "start".to_owned(),
            parameters: Vec::new(),
            process: None,
            place: None,
            note: None,
            chance: None,
            to: Ok(self.states.number((state, zone))),
        }])
    }

    fn moves(&mut self, state: StateId) -> Told<Vec<Move>> {
        Ok(self.steps(state)?.into_iter().map(|(step, _)| step).collect())
    }

    fn view(&mut self, state: StateId) -> View {
        let Ok((state, zone)) = self.state(state) else { return View::default() };
        let (clocks, differences) = (self.clocks(&zone), self.differences(&zone));
        View { values: self.teller.values(&state), clocks, differences }
    }

    fn statuses(&mut self, state: StateId) -> Told<Vec<Status>> {
        let (state, zone) = self.state(state)?;
        let network = self.network;
        Ok(network.queries.iter().map(|query| self.status(query, &state, &zone)).collect())
    }

    fn orbit(&mut self, state: StateId) -> Told<Option<Orbit>> {
        let (state, mut zone) = self.state(state)?;
        let limits = self.explorer.moves.limits_at(&state);
        let freed: Vec<bool> =
            (0..zone.dimension()).map(|clock| clock > 0 && limits.both(clock).is_none()).collect();
        if !self.explorer.moves.compares_differences() {
            zone.free_all(&freed);
            zone.extrapolate(Extrapolation::M, &limits);
        }
        let Some((class, representatives)) = &mut self.symmetry else {
            let representative = self.states.number((state, zone));
            return Ok(Some(Orbit { representative, permutation: String::new(), size: None }));
        };
        let permutation = representatives.choose(&state, &zone, &freed);
        let size = representatives.orbit(&state, &zone).to_string();
        let (mut moved, mut renamed) = (state.clone(), zone.clone());
        representatives.apply(&permutation, (&state, &zone), (&mut moved, &mut renamed));
        Ok(Some(Orbit {
            representative: self.states.number((moved, renamed)),
            permutation: group::cycles(&class.network.model, &class.domains, &permutation),
            size: Some(size),
        }))
    }

    fn term(&mut self, text: &str) -> Told<usize> {
        let read = |query: String, condition: bool| {
            let source = Source::new("condition", query);
            let request = Request {
                language: Some(Language::Uppaal),
                constants: &self.options.constants,
                queries: Some(&source),
                ..Request::default()
            };
            match burnside_lang::load(self.source, request) {
                Ok((Loaded::Network(network), _)) => match network.queries.first().cloned() {
                    Some(Query { kind: QueryKind::Possibly(expr), frame, .. }) => {
                        Ok(Term { source: source.clone(), network, frame, expr, condition })
                    }
                    _ => Err(network.refused.first().map_or(String::new(), |refused| refused.reason.clone())),
                },
                Ok(_) => Err("a condition on one state is expected".to_owned()),
                Err(rejected) => {
                    Err(rejected.diagnostics.first().map_or(String::new(), |wrong| wrong.message.clone()))
                }
            }
        };
        // A term that is no condition stands on both sides of an equation.
        let equation = || read(format!("E<> ({text}) == ({text})"), false);
        let term = read(format!("E<> ({text})"), true).or_else(|wrong| equation().map_err(|_| wrong))?;
        self.terms.push(term);
        Ok(self.terms.len() - 1)
    }

    fn value(&mut self, term: usize, state: StateId) -> Told<String> {
        let (mut state, zone) = self.state(state)?;
        let Term { source, network, frame, expr, condition } =
            self.terms.get(term).ok_or("there is no such condition")?;
        // Queries bring a variable of their own, after all others.
        state.resize(network.model.cells as usize, 0);
        if network.reads_clock(expr) || mentions_deadlock(network, expr) {
            let mut stepper = Stepper::new(network).map_err(told)?;
            let found = points(&mut stepper, frame, expr, true, &state, &zone).map_err(told)?;
            return Ok((!found.is_empty()).to_string());
        }
        let mut explainer = Explainer::new(&network.model, source, Semantics::default());
        match &expr.kind {
            ExprKind::Eq(a, _) if !condition => {
                explainer.value(frame, &[], a, &state).map(|value| value.to_string())
            }
            _ => explainer.holds(frame, &[], expr, &state).map(|holds| holds.to_string()),
        }
    }

    fn trace(&mut self, walk: &[Walked]) -> Told<TraceReport> {
        let mut legs: Vec<Leg> = Vec::new();
        for pair in walk.windows(2) {
            let steps = self.steps(pair[0].state)?;
            let (_, taken) = steps.into_iter().nth(pair[1].choice).ok_or("the walk has no such step")?;
            legs.push(Leg::from(taken));
        }
        let last = walk.last().map(|step| self.state(step.state)).transpose()?;
        let goal = |_: &mut Stepper, _: &[Cell], zone: &Zone| {
            Ok(Federation::from(last.as_ref().map_or_else(|| zone.clone(), |(_, zone)| zone.clone())))
        };
        match timed(&mut self.explorer.moves.stepper, &legs, goal).map_err(told)? {
            Some(run) => Ok(self.teller.trace(&run)),
            None => Err("no times were found for this walk".to_owned()),
        }
    }
}
