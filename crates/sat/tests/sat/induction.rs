//! The check that everything rests on: invariants that are damaged are noticed.

use burnside_lang::source::Source;
use burnside_model::code::{Semantics, Undefined};
use burnside_model::{Deadline, DeadlockMode};
use burnside_sat::cube;
use burnside_sat::fixed::{Decided, decide, verified};
use burnside_sat::induction::is_proof;
use burnside_sat::system::{Question, System};

use crate::at;

const QUESTION: Question = Question {
    semantics: Semantics { undefined: Undefined::Cmurphi, loop_limit: 1000, call_depth: 256 },
    deadlock: DeadlockMode::Off,
};

const MUTEX: &str = "
const N: 3;
type P: scalarset(N); S: enum { Idle, Wait, Crit };
var s: array [P] of S; free: boolean;
startstate for p: P do s[p] := Idle; end; free := true; end;
ruleset p: P do
  rule s[p] = Idle ==> s[p] := Wait; end;
  rule s[p] = Wait & free ==> s[p] := Crit; free := false; end;
  rule s[p] = Crit ==> s[p] := Idle; free := true; end;
end;
invariant forall p: P do forall q: P do p != q -> !(s[p] = Crit & s[q] = Crit) end end;
";

#[test]
fn damaged_invariants_are_noticed() {
    let model = at(&Source::new("mutex.m", MUTEX), 3);
    let action = verified(&model);
    let mut system = System::new(&model, QUESTION).expect("it is encoded");
    let found =
        decide(&mut system, action.as_ref(), QUESTION, Deadline::NEVER, &mut |_| {}).expect("it is decided");
    let Decided::Holds(cubes) = found.decided else { panic!("{:?}", found.decided) };
    assert_eq!(is_proof(&mut system, &cubes, Deadline::NEVER), Ok(true));
    // Without one image of a clause.
    for left_out in 0..cubes.len() {
        let mut fewer = cubes.clone();
        fewer.remove(left_out);
        assert_eq!(is_proof(&mut system, &fewer, Deadline::NEVER), Ok(false), "without {left_out}");
    }
    // With a cube that holds the start state.
    let start = system.state(&system.starts[0].clone());
    let mut more = cubes.clone();
    more.push(cube::of_state(&system, &start));
    assert_eq!(is_proof(&mut system, &more, Deadline::NEVER), Ok(false));
    // With one that is not inductive: a reachable state.
    let mut reached = start.clone();
    let waiting = system.variables.iter().position(|variable| variable.values == 3).expect("a process");
    reached[waiting] = (reached[waiting] + 1) % 3;
    let mut more = cubes;
    more.push(cube::of_state(&system, &reached));
    assert_eq!(is_proof(&mut system, &more, Deadline::NEVER), Ok(false));
}

#[test]
fn a_violation_has_a_run() {
    let wrong = MUTEX.replace("s[p] = Wait & free", "s[p] = Wait");
    let model = at(&Source::new("mutex.m", wrong), 3);
    let mut system = System::new(&model, QUESTION).expect("it is encoded");
    let found = decide(&mut system, verified(&model).as_ref(), QUESTION, Deadline::NEVER, &mut |_| {});
    match found.expect("it is decided").decided {
        Decided::Violated(violation) => assert_eq!(violation.1.path.len(), 5),
        other => panic!("{other:?}"),
    }
}
