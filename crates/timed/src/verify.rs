//! Which scalarsets are symmetries, and which ranges of process parameters are though nobody declared them.
//!
//! Scalars can only be assigned, compared and used as indices, so that no edge tells them apart; what is left to check
//! is where an order comes in: loops over scalars, and processes that receive the same broadcast one after the other.
//! Of ranges everything is checked, in edges, channels, invariants and queries: all become rules of a model, which the
//! detection and verification of untimed models looks at. What a query names stays in its place.

use burnside_model::Network;
use burnside_model::code::{
    DomainId, Expr, ExprKind, Frame, LocalId, Loop, LoopRange, Stmt, StmtKind, Types,
};
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
        apart: Vec::new(),
        general: true,
    };
    all.filter(moved).map(refusal).collect()
}

/// All that might tell elements apart, as rules.
fn whole(network: &Network) -> Model {
    let mut model = Model { properties: Vec::new(), ..network.model.clone() };
    model.rules.extend(receptions(network));
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
    for query in &network.queries {
        for expr in query.kind.exprs() {
            let guard = if expr.ty == Types::BOOL { expr.clone() } else { mentioned(expr.clone()) };
            model.rules.push(condition(Vec::new(), &query.frame, guard));
        }
    }
    model
}

/// For each process that receives broadcasts, a rule in which all its instances do so, one after the other.
fn receptions(network: &Network) -> Vec<Rule> {
    let cells = network.model.state_cells();
    let mut rules = Vec::new();
    for (number, process) in (0..).zip(&network.processes) {
        let broadcast = |rule: &Rule, edge: &burnside_model::network::Edge| {
            let sync = edge.sync.as_ref().filter(|sync| !sync.sends)?;
            let of_type = |cell: u32| cells[cell as usize].ty == sync.channel.ty;
            let kind = network.channels.iter().find(|channel| of_type(channel.cell))?;
            (edge.process == number && kind.broadcast && !rule.body.is_empty()).then(|| rule.clone())
        };
        let edges = network.model.rules.iter().zip(&network.edges);
        for rule in edges.filter_map(|(rule, edge)| broadcast(rule, edge)) {
            let params = process.params.len();
            let mut body = rule.body.clone();
            for binder in rule.binders[..params].iter().rev() {
                let Binder::Each(Loop { local, range: LoopRange::Type(ty), span }) = binder else { continue };
                let each = Loop { local: *local, range: LoopRange::Type(*ty), span: *span };
                body = vec![Stmt { kind: StmtKind::For(Box::new(each), body), span: *span }];
            }
            rules.push(Rule { binders: rule.binders[params..].to_vec(), guard: None, body, ..rule });
        }
    }
    rules
}
