//! Corners of the language, each with the figures that Spin 6.5.2 gives (`spin -o1 -o2 -o3 -a`, `-DNOREDUCE`): states and
//! transitions, of which Spin counts one more.

use burnside_lang::promela::{self, Settings};
use burnside_lang::source::Source;

use super::conformance::explore;

fn counts(text: &str) -> (usize, usize) {
    let source = Source::new("test.pml", text);
    let (model, diagnostics) = promela::load(&source, &[], &Settings::default());
    let model = model.unwrap_or_else(|| panic!("{}", diagnostics[0].render(&source, false)));
    let found = explore(&model, 100_000).expect("small");
    (found.states, found.steps + 1)
}

#[test]
fn a_jump_to_the_label_of_an_atomic_ends_it() {
    let text = "byte x, y;
active proctype A() { again: atomic { x = 1 - x; if :: x == 1 :: else -> goto again fi }; y = 1;
  do :: atomic { x = 1 - x; goto again } od }
active proctype B() { y = 3; y = 4 }";
    assert_eq!(counts(text), (23, 41));
}

#[test]
fn a_rendezvous_gives_the_control_to_the_receiver() {
    let model = |sender: &str, receiver: &str| {
        format!(
            "chan c = [0] of {{ byte }}; byte x, y, z;
active proctype S() {{ {sender} }}
active proctype R() {{ byte v; {receiver} }}
active proctype T() {{ z = 1; z = 2 }}"
        )
    };
    let (plain_sender, plain_receiver) = ("x = 1; c!1; x = 2; x = 3", "c?v; y = 1; y = 2");
    let (sender, receiver) =
        (format!("atomic {{ {plain_sender} }}"), format!("atomic {{ {plain_receiver} }}"));
    assert_eq!(counts(&model(&sender, plain_receiver)), (31, 58));
    assert_eq!(counts(&model(plain_sender, &receiver)), (24, 38));
    assert_eq!(counts(&model(&sender, &receiver)), (15, 22));
}

#[test]
fn our_own_models() {
    assert_eq!(counts(include_str!("../../../../models/promela/mutex.pml")), (49, 146));
    assert_eq!(counts(include_str!("../../../../models/promela/ping.pml")), (3, 4));
}

#[test]
fn macros_inlines_and_includes() {
    let text = "#define N 2
#define TWICE(x) ((x) + (x))
#if N > 1 && !defined(M)
#define START TWICE(1)
#else
#error wrong
#endif
inline add(v, k) { v = v + k }
byte x = START;
active proctype A() { add(x, N); assert(x == 4) }";
    assert_eq!(counts(text), (4, 4));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let wrong = [
        ("active proctype A() { x = 1 }", "nothing declares `x`"),
        ("active proctype A() { goto L }", "no label `L`"),
        ("active proctype A() { break }", "not inside a `do`"),
        ("active proctype A() { c_code { x = 1; } }", "`c_code` is not supported"),
        ("byte x; active proctype A() { x.y = 1 }", "fields"),
        ("active proctype A() { run B() }", "no proctype `B`"),
        ("byte x", "no process runs"),
        ("active proctype A() { if :: fi }", "empty"),
        ("#if\nbyte x;", "ends too early"),
    ];
    for (text, expected) in wrong {
        let source = Source::new("test.pml", text);
        let (model, diagnostics) = promela::load(&source, &[], &Settings::default());
        assert!(model.is_none(), "{text}");
        let shown = diagnostics[0].render(&source, false);
        assert!(shown.contains(expected), "{text}:\n{shown}");
    }
}
