//! Which scalarsets are symmetries. Scalars can only be assigned, compared and used as indices, so that no edge tells
//! them apart; what is left to check is where an order comes in: loops over scalars, and processes that receive the
//! same broadcast one after the other.

use burnside_model::Network;
use burnside_model::code::{DomainId, Loop, LoopRange, Stmt, StmtKind};
use burnside_model::system::{Binder, Model, Rule};
use burnside_symmetry::verify::{Refusal, verify_steps};

/// The domains that are symmetries of the network, and why the others are not known to be.
pub fn verify(network: &Network) -> (Vec<DomainId>, Vec<Refusal>) {
    let mut model = Model { properties: Vec::new(), ..network.model.clone() };
    let received = receptions(network);
    model.rules.extend(received);
    let refusals = verify_steps(&model);
    let all = (0..network.model.types.domains.len() as u32).map(DomainId);
    let domains = all.filter(|domain| !refusals.iter().any(|refusal| refusal.domain == *domain)).collect();
    (domains, refusals)
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
