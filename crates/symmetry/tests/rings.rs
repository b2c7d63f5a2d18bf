//! Rings: what verification accepts and refuses, and forms of large ones.

mod common;

use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{Cell, UNDEFINED};
use burnside_symmetry::verify::verify;
use burnside_symmetry::{Action, Canonicaliser, Permutation};
use common::{Build, Random, random_state};

const DECLARATIONS: &str = "type Node : ring(4); Pid : scalarset(3); Small : 0..3;
    var a, b : array [Node] of Small; to_node : array [Node] of Node; at, from : Node; home : array [Pid] of Node;
    x : Small; ";

fn model(text: &str) -> Model {
    let source = Source::new("rings.m", format!("{DECLARATIONS}{text}"));
    let (model, diagnostics) = load(&source, &[]);
    let shown: Vec<_> = diagnostics.iter().map(|d| d.render(&source, false)).collect();
    model.unwrap_or_else(|| panic!("{}", shown.join("\n")))
}

#[track_caller]
fn accepted(body: &str) {
    let refusals =
        verify(&model(&format!("ruleset i : Node; p : Pid do rule var last : Node; begin {body} end end;")));
    assert_eq!(refusals, [], "{body}");
}

#[track_caller]
fn refused(body: &str, because: &str) {
    let refusals =
        verify(&model(&format!("ruleset i : Node; p : Pid do rule var last : Node; begin {body} end end;")));
    let reasons: Vec<_> = refusals.iter().map(|r| r.reason.as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.contains(because)), "{body}: {reasons:?}");
    let ends = ["where the ring `Node` begins", "is not like the other elements of `Node`"];
    let named = |reason: &&str| ends.iter().any(|end| reason.ends_with(end));
    assert!(reasons.iter().all(named), "{reasons:?}");
}

#[test]
fn neighbours_are_symmetric() {
    accepted("at := next(at); a[next(i)] := a[prev(i)]; to_node[i + 2] := i - 1; home[p] := next(home[p]);");
    accepted("if exists j : Node do a[j] != a[next(j)] end then x := 1; end;");
    accepted("switch at case next(from): x := 1; case from + 2: x := 2; end;");
}

#[test]
fn loops_over_a_ring() {
    accepted("for j : Node do a[j] := b[next(j)]; end;");
    accepted("for j : Node do a[next(j)] := b[j]; end;");
    accepted("for j : Node do a[next(j)] := a[next(j)] + b[j]; end;");
    accepted("for j : Node do a[next(prev(j))] := a[j + 4]; end;");
    accepted("for j : Node do to_node[j + 2] := next(j); end;");
    refused("for j : Node do a[j] := a[next(j)]; end;", "writes `a[j]` and another may read it as `a[…]`");
    refused("for j : Node do a[next(j)] := 0; a[prev(j)] := 1; end;", "in different ways");
    refused("for j : Node do at := next(j); end;", "each a different value");
    refused("for j : Node do at := next(at); x := a[at]; end;", "another reads it");
    refused("for j : Node do a[at] := a[j]; end;", "another may read it");
    refused("clear at;", "`clear` sets this to the first element");
}

#[test]
fn a_loop_that_gives_back_the_last_is_refused() {
    refused("for j : Node do last := j; end; at := next(last);", "each a different value");
}

/// Without `next`, a ring is as good as a scalarset; with it, it is not.
#[test]
fn both_kinds_in_one_model() {
    let model = model("ruleset p : Pid do rule begin home[p] := next(home[p]); clear at; end end;");
    let refusals = verify(&model);
    assert!(refusals.iter().all(|r| model.types.domain(r.domain).name == "Node"), "{refusals:?}");
    assert_eq!(refusals.len(), 1);
}

/// The least rotation, found by trying them all.
fn least(action: &Action, state: &[Cell]) -> (Vec<Cell>, u128) {
    let size = action.sizes()[0];
    let all = (0..size).map(|by| {
        let images = (0..size).map(|i| (i + by) % size).collect();
        let mut moved = Vec::new();
        action.apply(&Permutation::from_images(vec![images]).unwrap(), state, &mut moved);
        moved
    });
    let all: Vec<_> = all.collect();
    let orbit = all.iter().collect::<std::collections::HashSet<_>>().len();
    (all.into_iter().min().unwrap(), orbit as u128)
}

#[test]
fn large_rings() {
    let mut random = Random(42);
    for size in [1, 2, 7, 12, 30, 100] {
        let mut b = Build::default();
        let (p, e) = (b.ring("P", size), b.enumeration(2));
        let r = b.record(&[e, p]);
        let a = b.array(p, r);
        b.global(a);
        b.global(p);
        let (model, domains) = b.done();
        let action = Action::new(&model, &domains);
        let mut canonicaliser = Canonicaliser::new(action.clone());
        let mut forms = std::collections::HashMap::new();
        for i in 0..60 {
            let mut state = random_state(&model, &mut random, 7);
            // Repeated patterns, so that some rotations fix the state.
            let period = [size, 1, 2, 3, size / 2][i % 5].max(1) as usize;
            for at in 0..size as usize {
                state[2 * at] = state[2 * (at % period)];
                state[2 * at + 1] = if i % 2 == 0 { UNDEFINED } else { (at as i64 + 1) % i64::from(size) };
            }
            *state.last_mut().unwrap() = if i % 3 == 0 { 0 } else { UNDEFINED };
            let (least, orbit) = least(&action, &state);
            let form = canonicaliser.canonicalise(&state).to_vec();
            assert_eq!(canonicaliser.orbit(), Some(orbit), "{size}: {state:?}");
            assert_eq!(forms.entry(least).or_insert(form.clone()), &form, "{size}: {state:?}");
        }
    }
}

#[test]
fn order_and_generators() {
    let mut b = Build::default();
    b.ring("P", 6);
    b.scalarset("Q", 4);
    b.ring("R", 1);
    let (model, domains) = b.done();
    let action = Action::new(&model, &domains);
    assert_eq!(action.order(), Some(144));
    assert_eq!(action.order_string(), "144");
    assert_eq!(action.generators().len(), 1 + 3);
    assert_eq!(action.generators()[0].images()[0], [1, 2, 3, 4, 5, 0]);
}
