//! Which scalarsets are symmetries, and which ranges of process parameters are though nobody declared them.
//!
//! Scalars can only be assigned, compared and used as indices, so that no edge tells them apart; what is left to check
//! is where an order comes in: loops over scalars, and processes that receive the same broadcast one after the other.
//! Of ranges everything is checked, in edges, channels, invariants and queries: all become rules of a model, which the
//! detection and verification of untimed models looks at. What a query names stays in its place.

use burnside_model::Network;
use burnside_model::code::{
    Arg, Call, DomainId, Expr, ExprKind, Frame, Function, GlobalId, LocalId, Loop, LoopRange, Place,
    PlaceKind, Stmt, StmtKind, Storage, TypeId, TypeKind, Types,
};
use burnside_model::network::Process;
use burnside_model::system::{Binder, Model, Rule};
use burnside_symmetry::Action;
use burnside_symmetry::detect::{Detection, MOST_VALUES, detect_up_to};
use burnside_symmetry::verify::{Refusal, verify_steps};

use crate::steps::Stepper;

/// The most instances of a process that are looked at.
const MOST_INSTANCES: u64 = 256;

/// Makes the interchangeable values of process parameters elements of symmetry domains; whether there are any.
pub fn detect_parameters(network: &mut Network) -> bool {
    match parameters(network).filter(|found| !found.is_trivial()) {
        Some(found) => {
            network.model.types = found.attach(&found.blocks).types;
            true
        }
        None => false,
    }
}

/// The classes of values to which parameters of processes belong, each with what tells its values apart, if there are any.
pub fn parameters(network: &Network) -> Option<Detection> {
    let params: Vec<_> = network.processes.iter().flat_map(|process| process.params.clone()).collect();
    if params.is_empty() {
        return None;
    }
    // Variables may have one value more, for nobody.
    let sizes = params.iter().map(|ty| network.model.types.size(*ty) + 1);
    let most = sizes.filter(|size| *size <= MOST_INSTANCES + 1).max().unwrap_or(0).max(MOST_VALUES);
    let mut found = detect_up_to(&whole(network), most).only(&params);
    let of_params: Vec<bool> =
        found.classes.iter().map(|class| class.types.iter().any(|ty| params.contains(ty))).collect();
    found.breaks.retain(|found| of_params[found.class]);
    Some(found)
}

/// The domains that are symmetries of the network, and why the others are not known to be.
pub fn verify(network: &Network) -> (Vec<DomainId>, Vec<Refusal>) {
    let mut refusals = verify_steps(&whole(network));
    refusals.extend(constants(network));
    let all = (0..network.model.types.domains.len() as u32).map(DomainId);
    let domains = all.filter(|domain| !refusals.iter().any(|refusal| refusal.domain == *domain)).collect();
    (domains, refusals)
}

/// Domains to whose elements constants give different values: limits of clocks are computed from constants, for all time.
fn constants(network: &Network) -> Vec<Refusal> {
    let start = Stepper::new(network).and_then(|mut stepper| stepper.start());
    let Ok(start) = start else { return Vec::new() };
    let moved = |domain: &DomainId| {
        let action = Action::new(&network.model, &[*domain]);
        action.generators().into_iter().any(|generator| {
            let mut moved = Vec::new();
            action.apply(&generator, &start.state, &mut moved);
            network.constant.iter().any(|cell| moved[*cell as usize] != start.state[*cell as usize])
        })
    };
    let all = (0..network.model.types.domains.len() as u32).map(DomainId);
    let refusal = |domain: DomainId| Refusal {
        domain,
        span: network.model.types.domain(domain).span,
        loop_span: None,
        reason: "constants have different values for different elements".to_owned(),
        help: None,
        apart: Vec::new(),
        general: true,
    };
    all.filter(moved).map(refusal).collect()
}

/// All that might tell elements apart, as rules.
fn whole(network: &Network) -> Model {
    let mut model = Model { properties: Vec::new(), ..network.model.clone() };
    receptions(network, &mut model);
    let condition = |binders: Vec<Binder>, frame: &Frame, guard: Expr| Rule {
        name: String::new(),
        named: false,
        binders,
        frame: frame.clone(),
        span: guard.span,
        guard: Some(guard),
        body: Vec::new(),
        fairness: None,
    };
    // What is no condition is compared with itself.
    let mentioned = |expr: Expr| {
        let span = expr.span;
        Expr { kind: ExprKind::Eq(Box::new(expr.clone()), Box::new(expr)), ty: Types::BOOL, span }
    };
    for process in &network.processes {
        for (location, rate) in
            process.locations.iter().flat_map(|l| l.rates.iter().map(move |rate| (l, rate)))
        {
            let params = (0..).zip(&process.params);
            let params = params.map(|(local, ty)| {
                Binder::Each(Loop { local: LocalId(local), range: LoopRange::Type(*ty), span: location.span })
            });
            let binders: Vec<Binder> = params.chain(rate.each.iter().cloned().map(Binder::Each)).collect();
            let clock =
                Expr { kind: ExprKind::Read(rate.clock.clone()), ty: rate.clock.ty, span: rate.clock.span };
            for expr in [clock, rate.rate.clone()] {
                model.rules.push(condition(binders.clone(), &process.frame, mentioned(expr)));
            }
        }
        for location in &process.locations {
            let Some(invariant) = &location.invariant else { continue };
            let params = (0..).zip(&process.params);
            let binders = params.map(|(local, ty)| {
                Binder::Each(Loop { local: LocalId(local), range: LoopRange::Type(*ty), span: location.span })
            });
            model.rules.push(condition(binders.collect(), &process.frame, invariant.clone()));
        }
    }
    for (edge, rule) in network.edges.iter().zip(&network.model.rules) {
        let Some(sync) = &edge.sync else { continue };
        let (ty, span) = (sync.channel.ty, sync.channel.span);
        let channel = Expr { kind: ExprKind::Read(sync.channel.clone()), ty, span };
        model.rules.push(condition(rule.binders.clone(), &rule.frame, mentioned(channel)));
    }
    for channel in singled_out(network) {
        let (ty, span) = (channel.ty, channel.span);
        let channel = Expr { kind: ExprKind::Read(channel), ty, span };
        model.rules.push(condition(Vec::new(), &Frame::default(), mentioned(channel)));
    }
    for query in &network.queries {
        for expr in query.kind.exprs() {
            let guard = if expr.ty == Types::BOOL { expr.clone() } else { mentioned(expr.clone()) };
            model.rules.push(condition(Vec::new(), &query.frame, guard));
        }
    }
    model
}

/// The channels of arrays that have another priority than the rest of the array: no renaming may move them.
fn singled_out(network: &Network) -> Vec<Place> {
    let mut found = Vec::new();
    for (number, global) in (0..).zip(&network.model.globals) {
        let cells = global.offset..global.offset + network.model.types[global.ty].cells;
        let own = || network.channels.iter().filter(|channel| cells.contains(&channel.cell));
        if own().all(|channel| Some(channel.priority) == own().next().map(|first| first.priority)) {
            continue;
        }
        for channel in own().filter(|channel| channel.priority != network.priority) {
            let whole = Place { kind: PlaceKind::Global(GlobalId(number)), ty: global.ty, span: global.span };
            found.push(part_at(network, whole, channel.cell - global.offset));
        }
    }
    found
}

/// The part of an array or struct that begins so many cells behind its beginning.
fn part_at(network: &Network, whole: Place, cell: u32) -> Place {
    let (types, span) = (&network.model.types, whole.span);
    match &types[whole.ty].kind {
        TypeKind::Array { index, element } => {
            let each = types[*element].cells;
            let at = types.bounds(*index).0 + i64::from(cell / each);
            let at = Expr { kind: ExprKind::Const(at), ty: *index, span };
            let kind = PlaceKind::Index(Box::new(whole), Box::new(at));
            part_at(network, Place { kind, ty: *element, span }, cell % each)
        }
        TypeKind::Record(fields) => match fields.iter().rposition(|field| field.offset <= cell) {
            Some(at) => {
                let (ty, offset) = (fields[at].ty, fields[at].offset);
                let kind = PlaceKind::Field(Box::new(whole), at as u32);
                part_at(network, Place { kind, ty, span }, cell - offset)
            }
            None => whole,
        },
        _ => whole,
    }
}

/// An edge that receives a broadcast and does something, as a function of the parameters and of what it selects.
struct Reception<'m> {
    rule: &'m Rule,
    function: u32,
    process: u32,
    /// The variable of the channel.
    channel: Option<u32>,
}

/// For each process that receives broadcasts, rules in which all its instances do so, one after the other: two of them
/// may take different edges, or select different values, so every two edges are looked at, with their own selections.
fn receptions(network: &Network, model: &mut Model) {
    let cells = network.model.state_cells();
    let mut found: Vec<Reception> = Vec::new();
    for (rule, edge) in network.model.rules.iter().zip(&network.edges) {
        let Some(sync) = edge.sync.as_ref().filter(|sync| !sync.sends && !rule.body.is_empty()) else {
            continue;
        };
        let of_type = |cell: u32| cells[cell as usize].ty == sync.channel.ty;
        if !network.channels.iter().any(|channel| channel.broadcast && of_type(channel.cell)) {
            continue;
        }
        let function = model.functions.len() as u32;
        model.functions.push(Function {
            name: rule.name.clone(),
            params: rule.binders.len() as u32,
            by_reference: vec![false; rule.binders.len()],
            result: None,
            frame: rule.frame.clone(),
            body: rule.body.clone(),
            span: rule.span,
        });
        found.push(Reception { rule, function, process: edge.process, channel: variable(&sync.channel) });
    }
    for (number, first) in found.iter().enumerate() {
        for second in &found[number..] {
            if first.process == second.process && first.channel == second.channel {
                let process = &network.processes[first.process as usize];
                model.rules.push(one_after_the_other(process, first, second));
            }
        }
    }
}

/// A rule in which every instance of a process takes one of two edges.
fn one_after_the_other(process: &Process, first: &Reception, second: &Reception) -> Rule {
    let span = first.rule.span;
    let params = process.params.len();
    let mut frame = Frame::default();
    let mut local = |ty: TypeId| (frame.add("each", ty, 1, Storage::Value), ty);
    let own: Vec<_> = process.params.iter().map(|ty| local(*ty)).collect();
    let mut selected = |reception: &Reception| -> Vec<(LocalId, TypeId)> {
        let types = reception.rule.frame.locals[params..reception.rule.binders.len()].iter();
        types.map(|select| local(select.ty)).collect()
    };
    let (chosen, others) = (selected(first), selected(second));
    let read = |(local, ty): &(LocalId, TypeId)| {
        let place = Place { kind: PlaceKind::Local(*local), ty: *ty, span };
        Expr { kind: ExprKind::Read(place), ty: *ty, span }
    };
    let call = |reception: &Reception, selected: &[(LocalId, TypeId)]| {
        let args = own.iter().chain(selected).map(|local| Arg::Value(read(local))).collect();
        vec![Stmt { kind: StmtKind::Call(Call { function: reception.function, args, span }), span }]
    };
    // Which of the two may depend on the instance: on its location, say.
    let location = Expr { kind: ExprKind::Read(process.location.clone()), ty: process.location.ty, span };
    let zero = Expr { kind: ExprKind::Const(0), ty: location.ty, span };
    let which = ExprKind::Eq(Box::new(location), Box::new(zero));
    let which = Expr { kind: which, ty: Types::BOOL, span };
    let arms = vec![(which, call(first, &chosen))];
    let mut body = vec![Stmt { kind: StmtKind::If(arms, call(second, &others)), span }];
    let each = |(local, ty): &(LocalId, TypeId)| Loop { local: *local, range: LoopRange::Type(*ty), span };
    for param in own.iter().rev() {
        body = vec![Stmt { kind: StmtKind::For(Box::new(each(param)), body), span }];
    }
    let binders = chosen.iter().chain(&others).map(|local| Binder::Each(each(local))).collect();
    let (name, named) = (first.rule.name.clone(), true);
    Rule { name, named, binders, frame, guard: None, body, fairness: None, span }
}

fn variable(place: &Place) -> Option<u32> {
    match &place.kind {
        PlaceKind::Global(global) => Some(global.0),
        PlaceKind::Index(base, _) | PlaceKind::Field(base, _) => variable(base),
        _ => None,
    }
}
