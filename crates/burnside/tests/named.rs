//! Symmetry between named things, from text to verdict: the same verdicts as without, fewer states, and real traces.

use std::num::NonZeroUsize;

use burnside::{Canon, DeadlockMode, Detect, Engine, Options, Report, Source, Verdict, check};

const PETERSON: &str = include_str!("../../../models/murphi/peterson_named.m");

fn run(text: &str, options: &Options) -> Report {
    let source = Source::new("named.m", text);
    check(&source, options).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"))
}

/// The reports with and without symmetry, whose verdicts must agree.
#[track_caller]
fn both(text: &str) -> (Report, Report) {
    let mut options = Options { deadlock: DeadlockMode::Off, ..Options::default() };
    options.limits.max_errors = u64::MAX;
    let reduced = run(text, &options);
    let plain = run(text, &Options { detect: Detect::Off, ..options.clone() });
    let verdicts = |report: &Report| -> Vec<(String, Verdict)> {
        report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect()
    };
    assert_eq!(verdicts(&reduced), verdicts(&plain), "{text}");
    for other in [
        Options { engine: Engine::Interpreter, ..options.clone() },
        Options { canon: Canon::Exhaustive, ..options.clone() },
        Options { threads: NonZeroUsize::new(2).unwrap(), ..options.clone() },
    ] {
        let other = run(text, &other);
        assert_eq!((other.states, verdicts(&other)), (reduced.states, verdicts(&reduced)), "{text}");
    }
    (reduced, plain)
}

#[test]
fn peterson() {
    let (reduced, plain) = both(PETERSON);
    assert_eq!((reduced.states, reduced.full_states, plain.states), (10, Some(20), 20));
    assert_eq!(reduced.symmetry.generators, ["(Left Right)(left right)(left_wants right_wants)"]);
    assert!(reduced.symmetry.verified && reduced.exact);
    assert_eq!(reduced.symmetry.derived, "detected");
}

#[test]
fn a_counterexample_is_a_run_of_the_model() {
    let broken = PETERSON.replace("turn := Right", "turn := Left").replace(
        "rule \"right gives way\"\n  right = Raise ==>\n  turn := Left",
        "rule \"right gives way\"\n  right = Raise ==>\n  turn := Right",
    );
    let (reduced, plain) = both(&broken);
    assert_eq!(reduced.verdict, Verdict::Violated);
    assert!(reduced.states < plain.states);
    let steps = |report: &Report| report.properties[0].violations[0].trace.steps.len();
    assert_eq!(steps(&reduced), steps(&plain));
}

#[test]
fn what_goes_wrong_may_do_so_in_another_rule() {
    for (x, y) in [(1, 0), (0, 1)] {
        let text = format!(
            "var x : 0..2; y : 0..2; startstate x := {x}; y := {y}; end;
             rule \"x up\" x = 1 & y = 0 ==> x := 2; end;
             rule \"y up\" y = 1 & x = 0 ==> y := 2; end;
             rule \"x fails\" x = 2 ==> error \"x\"; end;
             rule \"y fails\" y = 2 ==> error \"y\"; end;"
        );
        let (reduced, _) = both(&text);
        assert_eq!((reduced.verdict, reduced.symmetry.order.as_str()), (Verdict::Violated, "2"));
    }
}

#[test]
fn liveness() {
    let text = "type Who : enum { a, b }; var x : 0..2; y : 0..2; at : Who;
        ruleset w : Who do startstate x := 0; y := 0; at := w; end; end;
        rule \"x up\" at = a & x < 2 ==> x := x + 1; at := b; end;
        rule \"y up\" at = b & y < 2 ==> y := y + 1; at := a; end;
        rule \"back\" x = 2 & y = 2 ==> x := 0; y := 0; end;
        liveness \"again\" x = 0 & y = 0;
        liveness \"never\" x = 1 & y = 1 & x != y;
        ruleset w : Who do liveness \"turn\" at = w end;";
    let (reduced, plain) = both(text);
    assert_eq!(reduced.symmetry.order, "2");
    assert!(reduced.states < plain.states, "{} {}", reduced.states, plain.states);
}

#[test]
fn a_property_about_one_of_them_is_decided_without() {
    let about = format!("{PETERSON}\ninvariant \"about one\" left != Wait;");
    let (reduced, plain) = both(&about);
    assert_eq!((reduced.symmetry.order.as_str(), reduced.states), ("1", plain.states));
    let each = format!("{PETERSON}\ninvariant \"either\" left != Wait | right != Wait;");
    assert_eq!(both(&each).0.symmetry.order, "2");
}

/// Values that move and values that nothing tells apart generate a group together.
#[test]
fn beside_detected_values() {
    let text = "type Data : 0..2; var x : Data; y : Data; seen : array [Data] of boolean;
        startstate undefine x; undefine y; for d : Data do seen[d] := false; end; end;
        ruleset d : Data do
          rule \"x\" isundefined(x) & !seen[d] ==> x := d; seen[d] := true; end;
          rule \"y\" isundefined(y) & !seen[d] ==> y := d; seen[d] := true; end;
        end;
        rule \"drop x\" !isundefined(x) ==> undefine x; end;
        rule \"drop y\" !isundefined(y) ==> undefine y; end;";
    let (reduced, plain) = both(text);
    assert_eq!(reduced.symmetry.order, "12", "{:?}", reduced.symmetry);
    assert_eq!(reduced.full_states, Some(u128::from(plain.states)));
}
