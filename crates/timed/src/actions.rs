//! The edges of all instances, one for each choice of their selection: what they ask and do, folded as far as possible.

use std::collections::HashMap;
use std::ops::Range;

use burnside_model::Network;
use burnside_model::code::{Cell, Expr, ExprKind, LogicOp, LoopRange};
use burnside_model::network::{Channel, Taken};
use burnside_model::system::Binder;
use foldhash::fast::RandomState;

use crate::conditions::Clocks;
use crate::folded::{Folded, Folder, Write};
use crate::steps::Instance;
use crate::zone::Constraint;

/// More actions than this are not computed before they are needed.
const MOST: usize = 1 << 16;

/// An edge of an instance, with what its selection chooses.
#[derive(Clone, Debug)]
pub struct Action {
    /// Which.
    pub taken: Taken,
    /// What its guard asks, in order; nothing if it never holds.
    pub guard: Vec<Test>,
    /// The channel and whether it sends, if it is known; no channel if there is none.
    pub sync: Option<Option<(Channel, bool)>>,
    /// What it does, if that could be folded.
    pub update: Option<Vec<Write>>,
    /// The cell of its instance's location.
    pub location: usize,
    /// The location that it leads to.
    pub target: Cell,
}

/// A part of a guard.
#[derive(Clone, Debug)]
pub enum Test {
    /// A condition on variables.
    Folded(Folded),
    /// What it asks of the clocks, whatever the variables are.
    Asks(Vec<Constraint>),
    /// A part, by its position, that the interpreter evaluates.
    Interpreted(usize),
}

/// One of the conditions of which a guard is the conjunction.
pub struct Part<'m> {
    /// The condition.
    pub expr: &'m Expr,
    /// Whether it reads clocks.
    pub timed: bool,
    /// What it asks of the clocks of each instance, where no variable has a say.
    pub fixed: Vec<Option<Vec<Constraint>>>,
}

impl<'m> Part<'m> {
    /// Adds the parts of a conjunction, in order.
    pub fn all(network: &Network, expr: &'m Expr, found: &mut Vec<Part<'m>>) {
        match &expr.kind {
            ExprKind::Logic(LogicOp::And, a, b) => {
                Part::all(network, a, found);
                Part::all(network, b, found);
            }
            _ => found.push(Part { expr, timed: network.reads_clock(expr), fixed: Vec::new() }),
        }
    }
}

/// Where an instance's actions in a location come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// These.
    These(Range<u32>),
    /// An edge with a selection that depends on variables, or is large.
    Selected(u32),
}

/// All actions.
#[derive(Default)]
pub struct Actions {
    all: Vec<Action>,
    /// By instance and location.
    leaving: Vec<Vec<Vec<Source>>>,
    /// Those that were added when they were needed.
    added: HashMap<Taken, u32, RandomState>,
}

/// What actions are made from.
#[derive(Clone, Copy)]
pub struct Origin<'o, 'm> {
    /// The network.
    pub network: &'m Network,
    /// Its clocks.
    pub clocks: &'o Clocks,
    /// Its instances.
    pub instances: &'o [Instance],
    /// The parts of the guards of its edges.
    pub guards: &'o [Vec<Part<'m>>],
    /// The first state.
    pub start: &'o [Cell],
    /// Whether code is folded, or left to the interpreter.
    pub folds: bool,
}

impl Actions {
    pub fn new(origin: Origin) -> Actions {
        let mut actions = Actions::default();
        let network = origin.network;
        for (number, instance) in (0..).zip(origin.instances) {
            let locations = network.processes[instance.process as usize].locations.len();
            let mut leaving = vec![Vec::new(); locations];
            let edges = (0u32..).zip(&network.edges).filter(|(_, edge)| edge.process == instance.process);
            for (edge, source) in edges.map(|(edge, of)| (edge, of.source)) {
                let from: &mut Vec<Source> = &mut leaving[source as usize];
                match origin.selections(number, edge, MOST.saturating_sub(actions.all.len())) {
                    Some(selections) => {
                        let first = actions.all.len() as u32;
                        let made =
                            selections.into_iter().map(|selected| Taken { instance: number, edge, selected });
                        actions.all.extend(made.map(|taken| origin.action(taken)));
                        from.push(Source::These(first..actions.all.len() as u32));
                    }
                    None => from.push(Source::Selected(edge)),
                }
            }
            actions.leaving.push(leaving);
        }
        actions
    }

    /// Where those of an instance in a location come from.
    pub fn leaving(&self, instance: usize, location: Cell) -> &[Source] {
        &self.leaving[instance][location as usize]
    }

    pub fn get(&self, number: u32) -> &Action {
        &self.all[number as usize]
    }

    /// The number of an action, which is made if it is new.
    pub fn number(&mut self, taken: Taken, origin: Origin) -> u32 {
        let Actions { all, added, .. } = self;
        *added.entry(taken).or_insert_with_key(|taken| {
            all.push(origin.action(taken.clone()));
            all.len() as u32 - 1
        })
    }
}

impl Origin<'_, '_> {
    fn folder(&self, edge: u32, known: impl Iterator<Item = Cell>) -> Folder<'_> {
        let frame = &self.network.model.rules[edge as usize].frame;
        let known = known.map(Some).collect();
        Folder { network: self.network, clocks: self.clocks, start: self.start, frame, known }
    }

    /// All choices of an edge's selection, in order, if they are known and not more than `most`.
    fn selections(&self, instance: u32, edge: u32, most: usize) -> Option<Vec<Vec<Cell>>> {
        let rule = &self.network.model.rules[edge as usize];
        let params = &self.instances[instance as usize].params;
        let mut selections = vec![Vec::new()];
        for binder in &rule.binders[params.len()..] {
            let Binder::Each(each) = binder else { continue };
            let (lo, hi) = match &each.range {
                LoopRange::Type(ty) => self.network.model.types.bounds(*ty),
                LoopRange::Span(from, to, None) => {
                    let mut folder = self.folder(edge, params.iter().copied());
                    match (folder.expr(from)?, folder.expr(to)?) {
                        (Folded::Const(from), Folded::Const(to)) => (from, to),
                        _ => return None,
                    }
                }
                LoopRange::Span(..) => return None,
            };
            let values = usize::try_from(hi.checked_sub(lo)?.checked_add(1)?.max(0)).ok()?;
            if selections.len().checked_mul(values)? > most {
                return None;
            }
            let longer = |chosen: &Vec<Cell>| -> Vec<Vec<Cell>> {
                (lo..=hi).map(|value| chosen.iter().copied().chain([value]).collect()).collect()
            };
            selections = selections.iter().flat_map(longer).collect();
        }
        Some(selections)
    }

    fn action(&self, taken: Taken) -> Action {
        let network = self.network;
        let (rule, edge) = (&network.model.rules[taken.edge as usize], &network.edges[taken.edge as usize]);
        let instance = &self.instances[taken.instance as usize];
        let mut folder = self.folder(taken.edge, instance.params.iter().chain(&taken.selected).copied());
        let test = |(number, part): (usize, &Part)| match part.fixed.get(taken.instance as usize) {
            Some(Some(asked)) => Test::Asks(asked.clone()),
            _ if part.timed || !self.folds => Test::Interpreted(number),
            _ => folder.expr(part.expr).map_or(Test::Interpreted(number), Test::Folded),
        };
        let guard = self.guards[taken.edge as usize].iter().enumerate().map(test);
        // What always holds need not be asked.
        let guard = guard.filter(|test| !matches!(test, Test::Folded(Folded::Const(1)))).collect();
        let sync = match &edge.sync {
            None => Some(None),
            Some(sync) => folder.address(&sync.channel).filter(|_| self.folds).map(|cell| {
                let at = network.channels.binary_search_by_key(&(cell as u32), |channel| channel.cell).ok();
                at.map(|at| (network.channels[at], sync.sends))
            }),
        };
        let update = if self.folds { folder.block(&rule.body) } else { None };
        let (location, target) = (instance.location, Cell::from(edge.target));
        Action { taken, guard, sync, update, location, target }
    }
}
