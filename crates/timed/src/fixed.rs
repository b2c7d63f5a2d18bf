//! What guards and invariants ask of the clocks whatever the variables are: computed once.

use burnside_model::code::{Expr, ExprKind, Place, PlaceKind};
use burnside_model::network::{Network, Process};

use crate::actions::Part;
use crate::conditions::Conditions;
use crate::steps::Stepper;

impl Stepper<'_> {
    /// Evaluates the invariants that no variable has a say in, for all time. What goes wrong does so later.
    pub(crate) fn fix_invariants(&mut self) {
        let Ok(start) = self.start() else { return };
        let network = self.network;
        self.interpreter.load(&start.state);
        for number in 0..self.instances.len() {
            let process = &network.processes[self.instances[number].process as usize];
            let mut fixed = Vec::new();
            for location in &process.locations {
                fixed.push(match &location.invariant {
                    None => Some(Vec::new()),
                    Some(invariant) if !is_fixed(network, process, invariant) => None,
                    Some(invariant) => {
                        self.enter(&process.frame, number, &[]);
                        let mut asked = Vec::new();
                        let mut conditions =
                            Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                        let holds = conditions.conjunction(&process.frame, invariant, &mut asked);
                        matches!(holds, Ok(true)).then_some(asked)
                    }
                });
            }
            self.fixed.push(fixed);
        }
    }

    /// As [`fix_invariants`](Self::fix_invariants), for the parts of guards that bound clocks.
    pub(crate) fn fix_guards(&mut self) {
        let Ok(start) = self.start() else { return };
        let network = self.network;
        self.interpreter.load(&start.state);
        for edge in 0..self.guards.len() {
            let number = network.edges[edge].process;
            let (rule, process) = (&network.model.rules[edge], &network.processes[number as usize]);
            for part in 0..self.guards[edge].len() {
                let Part { expr, timed, .. } = self.guards[edge][part];
                if !timed || !is_fixed(network, process, expr) {
                    continue;
                }
                let mut fixed = Vec::new();
                for instance in 0..self.instances.len() {
                    if self.instances[instance].process != number {
                        fixed.push(None);
                        continue;
                    }
                    self.enter(&rule.frame, instance, &[]);
                    let mut asked = Vec::new();
                    let mut conditions =
                        Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                    let holds = conditions.conjunction(&rule.frame, expr, &mut asked);
                    fixed.push(matches!(holds, Ok(true)).then_some(asked));
                }
                self.guards[edge][part].fixed = fixed;
            }
        }
    }
}

/// Whether a condition depends on nothing but clocks, constants and the parameters of the process.
fn is_fixed(network: &Network, process: &Process, expr: &Expr) -> bool {
    let place = |place: &Place| fixed_place(network, process, place);
    let all = |parts: &[&Expr]| parts.iter().all(|part| is_fixed(network, process, part));
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read(read) => place(read),
        ExprKind::Not(e) | ExprKind::Neg(e) => all(&[e]),
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => all(&[a, b]),
        ExprKind::Cond(c, a, b) => all(&[c, a, b]),
        _ => false,
    }
}

fn fixed_place(network: &Network, process: &Process, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(local) => (local.0 as usize) < process.params.len(),
        // A clock's place is fixed though its value is not.
        PlaceKind::Global(global) => {
            let first = network.model.globals[global.0 as usize].offset;
            network.constant.contains(&first) || network.clocks.contains(&first)
        }
        PlaceKind::Index(base, index) => {
            fixed_place(network, process, base) && is_fixed(network, process, index)
        }
        PlaceKind::Field(base, _) => fixed_place(network, process, base),
        _ => false,
    }
}
