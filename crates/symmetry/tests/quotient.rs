//! The quotient and replay on a small lock, built by hand: the orbit sum is the unreduced count, and runs are concrete.

mod common;

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use burnside_model::code::*;
use burnside_model::system::{
    Batch, Batcher, Binder, Machine, Outcome, Packed, Property, PropertyKind, Rule,
};
use burnside_model::{Model, Packing, Span, System};
use burnside_symmetry::{
    Action, Canonicaliser, Ending, PackedCanonicaliser, PackedQuotient, Quotient, ReplayError, closed, replay,
};
use common::Build;

const SPAN: Span = Span { start: 0, end: 0 };

fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: SPAN }
}

fn global(id: u32, ty: TypeId) -> Place {
    Place { kind: PlaceKind::Global(GlobalId(id)), ty, span: SPAN }
}

fn local(ty: TypeId) -> Expr {
    expr(ExprKind::Read(Place { kind: PlaceKind::Local(LocalId(0)), ty, span: SPAN }), ty)
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: SPAN }
}

/// The lock: `pc : array [P] of {idle, wait, in}`, `owner : P`. With `bug`, leaving while another one waits is an error.
struct Lock {
    p: TypeId,
    pc: TypeId,
    all: TypeId,
}

impl Lock {
    fn pc_is(&self, value: i64) -> Expr {
        let pc = expr(ExprKind::Read(self.pc_of()), self.pc);
        let value = expr(ExprKind::Const(value), self.pc);
        expr(ExprKind::Eq(Box::new(pc), Box::new(value)), Types::BOOL)
    }

    fn pc_of(&self) -> Place {
        let kind = PlaceKind::Index(Box::new(global(0, self.all)), Box::new(local(self.p)));
        Place { kind, ty: self.pc, span: SPAN }
    }

    fn set_pc(&self, value: i64) -> Stmt {
        stmt(StmtKind::Assign(self.pc_of(), expr(ExprKind::Const(value), self.pc)))
    }

    fn rule(&self, name: &str, model: &Model, guard: Option<Expr>, body: Block) -> Rule {
        let mut frame = Frame::default();
        let i = frame.add("i", self.p, model.types[self.p].cells, Storage::Value);
        let each = Loop { local: i, range: LoopRange::Type(self.p), span: SPAN };
        let binders = vec![Binder::Each(each)];
        Rule { name: name.to_owned(), named: true, binders, frame, guard, body, fairness: None, span: SPAN }
    }
}

fn lock(n: u32, asymmetric_start: bool, bug: bool) -> (Model, Vec<DomainId>) {
    let mut b = Build::default();
    let p = b.scalarset("P", n);
    let pc = b.enumeration(3);
    let all = b.array(p, pc);
    b.global(all);
    b.global(p);
    let (mut model, domains) = b.done();
    let lock = Lock { p, pc, all };
    let owner = || global(1, p);
    let free = expr(ExprKind::IsUndefined(owner()), Types::BOOL);
    let waiting = expr(ExprKind::Logic(LogicOp::And, Box::new(lock.pc_is(1)), Box::new(free)), Types::BOOL);
    let clear = || stmt(StmtKind::Clear(global(0, all)));
    let take = || stmt(StmtKind::Assign(owner(), local(p)));
    let mut leave = vec![stmt(StmtKind::Undefine(owner())), lock.set_pc(0)];
    if bug {
        let in_again = expr(ExprKind::Not(Box::new(lock.pc_is(2))), Types::BOOL);
        leave.insert(0, stmt(StmtKind::Assert(in_again, "no one leaves".to_owned())));
    }
    let start = if asymmetric_start {
        let mut rule = lock.rule("start", &model, None, vec![clear(), stmt(StmtKind::Undefine(owner()))]);
        rule.binders.clear();
        // One fixed element starts inside.
        rule.body.push(stmt(StmtKind::Assign(owner(), expr(ExprKind::Const(0), p))));
        rule
    } else {
        lock.rule("start", &model, None, vec![clear(), take(), lock.set_pc(2)])
    };
    model.starts.push(start);
    let rules = [
        lock.rule("ask", &model, Some(lock.pc_is(0)), vec![lock.set_pc(1)]),
        lock.rule("enter", &model, Some(waiting), vec![lock.set_pc(2), take()]),
        lock.rule("leave", &model, Some(lock.pc_is(2)), leave),
    ];
    model.rules.extend(rules);
    model.properties.push(Property {
        name: "no fault".to_owned(),
        named: false,
        kind: PropertyKind::NoFault,
        binders: Vec::new(),
        frame: Frame::default(),
        condition: None,
        formula: None,
        span: SPAN,
    });
    (model, domains)
}

/// All reachable states, each with its predecessor.
fn explore(system: &mut dyn System) -> HashMap<Vec<Cell>, Option<Vec<Cell>>> {
    let (mut seen, mut queue) = (HashMap::new(), VecDeque::new());
    let mut starts = Vec::new();
    system
        .initial(&mut |step| {
            if let Outcome::State(s) = step.outcome {
                starts.push(s.to_vec());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    for s in starts {
        if seen.insert(s.clone(), None).is_none() {
            queue.push_back(s);
        }
    }
    while let Some(s) = queue.pop_front() {
        let mut next = Vec::new();
        system
            .successors(&s, &mut |step| {
                if let Outcome::State(t) = step.outcome {
                    next.push(t.to_vec());
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        for t in next {
            if !seen.contains_key(&t) {
                seen.insert(t.clone(), Some(s.clone()));
                queue.push_back(t);
            }
        }
    }
    seen
}

fn starts(model: &Model) -> Vec<Vec<Cell>> {
    let mut starts = Vec::new();
    Machine::new(model, Semantics::default())
        .initial(&mut |step| {
            if let Outcome::State(s) = step.outcome {
                starts.push(s.to_vec());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    starts
}

#[test]
fn the_orbit_sum_is_the_unreduced_count() {
    for n in 1..=5 {
        let (model, domains) = lock(n, false, false);
        let action = Action::new(&model, &domains);
        assert!(closed(&action, &starts(&model)));
        let full = explore(&mut Machine::new(&model, Semantics::default()));
        let machine = Machine::new(&model, Semantics::default());
        let mut quotient = Quotient::new(machine, Canonicaliser::new(action));
        let reduced = explore(&mut quotient);
        let sum: u128 = reduced.keys().map(|r| quotient.weight(r).unwrap()).sum();
        assert_eq!(sum, full.len() as u128, "n = {n}");
        assert!(n < 2 || reduced.len() < full.len());
        for state in full.keys() {
            let (form, permutation) = quotient.canonical(state);
            assert!(reduced.contains_key(&form));
            let mut moved = Vec::new();
            quotient.action().apply(&permutation, state, &mut moved);
            assert_eq!(moved, form);
        }
    }
}

#[test]
fn without_active_domains_nothing_changes() {
    let (model, _) = lock(3, false, false);
    let full = explore(&mut Machine::new(&model, Semantics::default()));
    let machine = Machine::new(&model, Semantics::default());
    let mut quotient = Quotient::new(machine, Canonicaliser::new(Action::new(&model, &[])));
    assert_eq!(explore(&mut quotient).len(), full.len());
    assert_eq!(quotient.weight(full.keys().next().unwrap()), Some(1));
}

#[test]
fn asymmetric_start_states_are_not_closed() {
    let (model, domains) = lock(3, true, false);
    assert!(!closed(&Action::new(&model, &domains), &starts(&model)));
}

#[test]
fn paths_of_representatives_are_replayed() {
    let (model, domains) = lock(4, false, false);
    let mut canon = Canonicaliser::new(Action::new(&model, &domains));
    let machine = Machine::new(&model, Semantics::default());
    let reduced = explore(&mut Quotient::new(machine, canon.clone()));
    let mut machine = Machine::new(&model, Semantics::default());
    for last in reduced.keys() {
        let mut path = vec![last.clone()];
        while let Some(Some(before)) = reduced.get(&path[path.len() - 1]) {
            path.push(before.clone());
        }
        path.reverse();
        let mut canonical = |s: &[Cell]| canon.canonicalise(s).to_vec();
        let (trace, fault) = replay(&mut machine, &mut canonical, &path, Ending::State).unwrap();
        assert_eq!((trace.steps.len(), fault), (path.len(), None));
        for (step, representative) in trace.steps.iter().zip(&path) {
            assert_eq!(canonical(&step.state), *representative);
        }
        // Nothing goes wrong in this model.
        let error = replay(&mut machine, &mut canonical, &path, Ending::Fault).unwrap_err();
        assert!(matches!(&error, ReplayError::Internal(_)) && error.to_string().starts_with("internal: "));
    }
    let mut canonical = |s: &[Cell]| canon.canonicalise(s).to_vec();
    let wrong = vec![vec![UNDEFINED; model.cells as usize]];
    assert!(replay(&mut machine, &mut canonical, &wrong, Ending::State).is_err());
}

#[test]
fn faults_are_replayed() {
    let (model, domains) = lock(3, false, true);
    let mut canon = Canonicaliser::new(Action::new(&model, &domains));
    let mut canonical = |s: &[Cell]| canon.canonicalise(s).to_vec();
    let mut machine = Machine::new(&model, Semantics::default());
    let path = vec![canonical(&starts(&model)[0])];
    let (trace, fault) = replay(&mut machine, &mut canonical, &path, Ending::Fault).unwrap();
    assert_eq!(fault.unwrap().kind, FaultKind::Assertion);
    let (rule, args) = trace.failing.unwrap();
    // The owner leaves.
    assert_eq!((rule, args[0]), (2, trace.steps[0].state[3]));
    assert!(replay(&mut machine, &mut canonical, &path, Ending::GuardFault).is_err());
}

#[test]
fn faults_of_start_states_are_replayed() {
    let (mut model, domains) = lock(3, false, false);
    model.starts[0].body.push(stmt(StmtKind::Error("no start".to_owned())));
    let mut canon = Canonicaliser::new(Action::new(&model, &domains));
    let mut canonical = |s: &[Cell]| canon.canonicalise(s).to_vec();
    let mut machine = Machine::new(&model, Semantics::default());
    let (trace, fault) = replay(&mut machine, &mut canonical, &[], Ending::Fault).unwrap();
    assert_eq!((trace.steps.len(), trace.failing), (0, Some((0, vec![0]))));
    assert_eq!(fault.unwrap().kind, FaultKind::ErrorStatement);
}

/// All reachable states of a system on packed states.
fn explore_packed(system: &mut dyn Batcher) -> HashSet<Vec<u64>> {
    let words = system.words();
    let (mut seen, mut queue, mut batch) = (HashSet::new(), VecDeque::new(), Batch::default());
    system.initial(&mut batch).unwrap();
    loop {
        for state in batch.states.chunks_exact(words) {
            if seen.insert(state.to_vec()) {
                queue.push_back(state.to_vec());
            }
        }
        let Some(state) = queue.pop_front() else { return seen };
        batch.clear();
        system.successors(&state, &mut batch).unwrap();
    }
}

#[test]
fn the_orbit_sum_of_packed_states_is_the_unreduced_count() {
    for n in 1..=5 {
        let (model, domains) = lock(n, false, false);
        let packing = Packing::new(&model).unwrap();
        let packed = || Packed::new(Machine::new(&model, Semantics::default()), &packing);
        let full = explore_packed(&mut packed());
        let canonicaliser = PackedCanonicaliser::new(&packing, Action::new(&model, &domains));
        let mut quotient = PackedQuotient::new(packed(), canonicaliser);
        let reduced = explore_packed(&mut quotient);
        let sum: u128 = reduced.iter().map(|r| quotient.weight(r).unwrap()).sum();
        assert_eq!(sum, full.len() as u128, "n = {n}");
        assert!(n < 2 || reduced.len() < full.len());
        // With no domain to permute, nothing changes.
        let canonicaliser = PackedCanonicaliser::new(&packing, Action::new(&model, &[]));
        let mut same = PackedQuotient::new(packed(), canonicaliser);
        assert_eq!(explore_packed(&mut same), full);
        assert_eq!(same.weight(full.iter().next().unwrap()), Some(1));
    }
}
