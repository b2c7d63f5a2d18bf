//! Models that were once judged wrongly. The first line of each says what went wrong, the second what is right; reduced
//! and unreduced search must say the same.

use burnside::{Limits, Options, Reduce, Report, Source, Verdict, check};

fn run(source: &Source, reduce: Reduce, max_errors: u64) -> Report {
    let limits = Limits { max_errors, ..Limits::default() };
    check(source, &Options { reduce, limits, ..Options::default() })
        .unwrap_or_else(|failure| panic!("{failure:?}"))
}

#[test]
fn models_once_judged_wrongly() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        let expected = text.lines().nth(1).and_then(|line| line.strip_prefix("-- expect: "));
        let expected = expected.unwrap_or_else(|| panic!("{}: what to expect?", path.display()));
        let source = Source::new(path.display().to_string(), text.clone());
        for max_errors in [1, u64::MAX] {
            let (full, reduced) =
                (run(&source, Reduce::None, max_errors), run(&source, Reduce::Auto, max_errors));
            assert_eq!(full.verdict.name(), expected, "{}", path.display());
            assert_eq!(reduced.verdict.name(), expected, "{}, reduced", path.display());
            if max_errors > 1 {
                let verdicts = |report: &Report| -> Vec<Verdict> {
                    report.properties.iter().map(|p| p.verdict).collect()
                };
                assert_eq!(verdicts(&full), verdicts(&reduced), "{}", path.display());
            }
        }
        seen += 1;
    }
    assert!(seen > 10);
}

#[test]
fn a_liveness_property_that_cannot_be_evaluated_is_not_said_to_hold() {
    let model = r#"
        var x : 0..1; u : 0..1;
        startstate x := 0; end;
        rule x := 1 - x; end;
        liveness "u is 1" u = 1;
    "#;
    let report = run(&Source::new("u.m", model), Reduce::Auto, 100);
    assert_eq!(report.properties[0].verdict, Verdict::Unknown);
    assert_eq!(report.verdict, Verdict::Violated);
}

/// Telling hundreds of runs took longer than a trial of adaptive reduction may take, and cut the last ones short.
#[test]
fn many_runs_are_told_after_a_trial() {
    let model = r#"
        byte st[3]; bool b[3]; byte g; pid turn; chan c = [1] of { bit };
        proctype user() {
            bit l;
            do
            :: atomic { turn == 0 -> b[_pid] = !b[_pid] }
            :: st[_pid] == 1 -> c?l
            :: !b[_pid] -> c!1; st[_pid] = 1
            :: atomic { st[_pid] == 1 -> g = (g + 1) % 3; turn = _pid }
            :: st[_pid] == 0 -> assert(false)
            od
        }
        init { atomic { run user(); run user() } }
    "#;
    let source = Source::new("many.pml", model);
    let (full, adaptive) = (run(&source, Reduce::None, u64::MAX), run(&source, Reduce::Auto, u64::MAX));
    let verdicts =
        |report: &Report| -> Vec<Verdict> { report.properties.iter().map(|p| p.verdict).collect() };
    assert_eq!(verdicts(&full), verdicts(&adaptive));
    assert_eq!(full.full_states, adaptive.full_states);
}

#[test]
fn a_huge_scalarset_takes_no_time() {
    let model = r#"
        type P : scalarset(200000);
        var x : P; b : boolean;
        startstate b := false; end;
        rule b := !b; end;
    "#;
    let begun = std::time::Instant::now();
    let report = check(&Source::new("huge.m", model), &Options::default())
        .unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!((report.states, report.symmetry.order.as_str()), (2, "200000!"));
    assert!(begun.elapsed().as_secs() < 60);
}
