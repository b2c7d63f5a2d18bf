//! Networks of timed automata over the same code as rules: what a UPPAAL front end produces and the zones explore.
//!
//! The variables, clocks and channels of a network, and the location of every process, are cells of one state, so that
//! a symmetry domain acts on all of them in the same way. A clock's cell is undefined between steps; an update that
//! assigns to it resets the clock. A channel's cell is always undefined: its place is its identity. Guards, invariants
//! and queries read clocks as if their cells held a value; who explores the network tells these parts of a condition
//! from the others ([`Network::reads_clock`]).

mod run;

use crate::Span;
use crate::code::{Expr, ExprKind, Frame, GlobalId, Loop, Part, Place, PlaceKind, TypeId};
use crate::system::Model;

pub use run::{RunEnding, Taken, TimedRun, TimedStep};

/// A network of timed automata.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Types, variables and functions; one start state; one rule per edge, with its guard and its update, but without
    /// what it does to the location.
    pub model: Model,
    /// The cells that are clocks, ascending.
    pub clocks: Vec<u32>,
    /// The channels, by cell, ascending.
    pub channels: Vec<Channel>,
    /// The cells that never change.
    pub constant: Vec<u32>,
    /// The priority of steps without a channel.
    pub priority: u32,
    /// The processes, in the order of the system line.
    pub processes: Vec<Process>,
    /// The edges, in the order of the rules.
    pub edges: Vec<Edge>,
    pub queries: Vec<Query>,
    /// Queries that cannot be answered, each with the reason.
    pub refused: Vec<RefusedQuery>,
    /// The variable that stands for `deadlock` in queries.
    pub deadlock: Option<GlobalId>,
    /// The type of clocks.
    pub clock: Option<TypeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    pub cell: u32,
    /// Whether time stands still while it can be taken.
    pub urgent: bool,
    /// Whether one sends to all that listen.
    pub broadcast: bool,
    /// Steps on a channel of a higher priority come first.
    pub priority: u32,
}

/// All instances of one process: one for each value of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    /// Its name in the system line.
    pub name: String,
    /// The types of its parameters, which are the first locals of every frame that belongs to it.
    pub params: Vec<TypeId>,
    /// Where its instances' locations are, in terms of the parameters.
    pub location: Place,
    /// The locals of its invariants.
    pub frame: Frame,
    pub locations: Vec<Location>,
    /// Steps of a process of a higher priority come first.
    pub priority: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    pub name: String,
    /// What holds while a process is here.
    pub invariant: Option<Expr>,
    /// The rates of clocks while a process is here; those of the others are 1.
    pub rates: Vec<Rate>,
    /// Whether time stands still here.
    pub urgent: bool,
    /// Whether it must be left at once.
    pub committed: bool,
    pub span: Span,
}

/// The rate of a clock: how fast it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    pub clock: Place,
    /// 0 if it stands still, 1 if it runs.
    pub rate: Expr,
    /// It is so for each value of these.
    pub each: Vec<Loop>,
}

/// An edge of a process; its guard and update are the rule of the same position.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub process: u32,
    pub source: u32,
    pub target: u32,
    pub sync: Option<Sync>,
}

/// One side of a synchronisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    pub channel: Place,
    /// Whether this side sends.
    pub sends: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub text: String,
    pub kind: QueryKind,
    /// The variables bound inside.
    pub frame: Frame,
    /// Where in the source of the queries.
    pub span: Span,
    /// Its position among all queries of the source, those that cannot be answered included.
    pub position: usize,
}

/// A query that cannot be answered: it is not supported, names what does not exist, or is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedQuery {
    pub text: String,
    /// Its position among all queries of the source, those that can be answered included.
    pub position: usize,
    /// Where in the source of the queries the mistake is.
    pub span: Span,
    /// The code of the diagnostic.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub reason: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// The kinds of queries, over expressions of the model or of the source.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind<E = Expr> {
    /// `E<> p`
    Possibly(E),
    /// `A[] p`
    Invariantly(E),
    /// `E[] p`
    PotentiallyAlways(E),
    /// `A<> p`
    Eventually(E),
    /// `p --> q`
    LeadsTo(E, E),
    /// `sup{p}: e`
    Sup(Option<E>, Vec<E>),
    /// `inf{p}: e`
    Inf(Option<E>, Vec<E>),
    /// `bounds{p}: e`: both
    Bounds(Option<E>, Vec<E>),
}

impl<E> QueryKind<E> {
    pub fn exprs(&self) -> Vec<&E> {
        match self {
            QueryKind::Possibly(p)
            | QueryKind::Invariantly(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Eventually(p) => vec![p],
            QueryKind::LeadsTo(p, q) => vec![p, q],
            QueryKind::Sup(condition, exprs)
            | QueryKind::Inf(condition, exprs)
            | QueryKind::Bounds(condition, exprs) => condition.iter().chain(exprs).collect(),
        }
    }
}

impl Network {
    /// Whether clocks may stand still while time passes.
    pub fn has_stopwatches(&self) -> bool {
        self.processes
            .iter()
            .flat_map(|process| &process.locations)
            .any(|location| !location.rates.is_empty())
    }

    /// Whether an expression reads a clock outside the functions that it calls, which never do.
    pub fn reads_clock(&self, expr: &Expr) -> bool {
        Part::Expr(expr).any(|part| matches!(part, Part::Expr(e) if self.is_clock(e)))
    }

    fn is_clock(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Read(place) if Some(place.ty) == self.clock)
    }

    /// Whether an expression is the word `deadlock`.
    pub fn is_deadlock(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Read(Place { kind: PlaceKind::Global(global), .. }) => Some(*global) == self.deadlock,
            _ => false,
        }
    }
}
