//! Adaptive symmetry reduction on models written by hand.

use burnside::{Failure, Options, Reduce, Report, check};
use burnside_explicit::{Config, Findings as Exploration, adaptive};
use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::code::{Domain, DomainId, DomainKind, Semantics, TypeKind};
use burnside_model::system::{Machine, Packed};
use burnside_model::{Limits, Model, Packing, Span, Verdict};
use burnside_symmetry::partial::{Invariance, Young, invariance};

const PRIORITY: &str = include_str!("../../../models/murphi/readers_writer_priority.m");

/// The model, its type `Process` being a symmetry domain.
fn processes(text: &str, constants: &[(&str, &str)]) -> Model {
    let constants: Vec<_> = constants.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (model, diagnostics) = load(&Source::new("test.m", text), &constants);
    let mut model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let process = model.types.ids().find(|ty| model.types[*ty].name.as_deref() == Some("Process"));
    let process = process.expect("a type of processes");
    if let TypeKind::Range(lo, hi) = model.types[process].kind {
        let size = (hi - lo + 1) as u32;
        let domain =
            Domain { name: "Process".to_owned(), kind: DomainKind::Full, size, span: Span::default() };
        model.types.attach(domain, (0..size).collect(), &[(process, lo)]);
    }
    model
}

fn search(model: &Model, left: &Invariance) -> Exploration {
    let packing = Packing::new(model).expect("small cells");
    let limits = Limits { max_errors: u64::MAX, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let task = adaptive::Task { model, packing: &packing, invariance: left, config: &config, trial: false };
    let young = Young::new(model, &left.domains).expect("a small state");
    let mut batcher = Packed::new(Machine::new(model, Semantics::default()), &packing);
    adaptive::check(&task, young, &mut batcher, &mut ()).expect("no trial")
}

/// Figures 10 and 11 of the survey.
#[test]
fn readers_and_a_writer_have_nine_abstract_states() {
    let model = processes(PRIORITY, &[]);
    let left = invariance(&model, &[DomainId(0)]);
    let blocks: Vec<_> = left.rules.iter().map(|rule| rule.blocks()).collect();
    let (all, readers) = (vec![vec![0, 1, 2]], vec![vec![0, 1], vec![2]]);
    assert_eq!(blocks, [all.clone(), all.clone(), readers.clone(), all.clone()]);
    assert_eq!(left.properties[0].blocks(), readers, "the invariant names the writer");
    assert_eq!(left.properties[1].blocks(), all);
    let found = search(&model, &left);
    assert_eq!(found.states, 9);
    assert_eq!(found.full_states, Some(22u64.into()));
    assert!(found.properties.iter().all(|p| p.verdict() == Verdict::Holds));
}

/// With more processes there are few more abstract states.
#[test]
fn more_readers_add_few_abstract_states() {
    let counts = ["4", "5", "6", "7"].map(|n| {
        let model = processes(PRIORITY, &[("N", n)]);
        let found = search(&model, &invariance(&model, &[DomainId(0)]));
        (found.states.to_u64(), found.full_states.and_then(|states| states.to_u64()))
    });
    assert_eq!(counts, [(15, 62), (23, 178), (33, 518), (45, 1522)].map(|(a, b)| (Some(a), Some(b))));
}

/// Three processes that climb a ladder; what else they do is up to the test.
fn ladder(more: &str) -> String {
    format!(
        "type Process: 1..3; Rung: 0..3;
        var at: array [Process] of Rung; last: Process;
        startstate begin for p: Process do at[p] := 0; end; undefine last; end;
        ruleset p: Process do
          rule \"climb\" at[p] < 3 ==> begin at[p] := at[p] + 1; end;
          rule \"fall\" at[p] = 3 & exists q: Process do q != p & at[q] = 0 end ==> begin at[p] := 0; end;
        end;
        {more}"
    )
}

fn report(text: &str, reduce: Reduce) -> Report {
    let limits = Limits { max_errors: u64::MAX, ..Limits::default() };
    let options = Options { reduce, limits, ..Options::default() };
    check(&Source::new("ladder.m", text), &options).expect("a check")
}

/// Adaptively and without reduction; the first is returned.
fn both(text: &str) -> Report {
    compared(Reduce::Auto, text)
}

fn compared(reduce: Reduce, text: &str) -> Report {
    let (adaptive, full) = (report(text, reduce), report(text, Reduce::None));
    assert_eq!(adaptive.reduction, "adaptive");
    assert_eq!(adaptive.full_states, Some(u128::from(full.states)));
    assert!(adaptive.states < full.states, "{} of {}", adaptive.states, full.states);
    for (a, b) in adaptive.properties.iter().zip(&full.properties) {
        assert_eq!((&a.name, a.verdict), (&b.name, b.verdict));
        let shortest = |p: &burnside::report::PropertyReport| {
            p.violations.iter().map(|violation| violation.trace.steps.len()).min()
        };
        assert_eq!(shortest(a), shortest(b), "{}", a.name);
    }
    adaptive
}

fn verdict(report: &Report, name: &str) -> Verdict {
    report.properties.iter().find(|property| property.name == name).expect("a property").verdict
}

/// Only process 2 ever gets a prize, and only if 3 is at the top: the state that does it is one of six.
#[test]
fn an_asymmetric_rule_finds_the_member_that_it_is_enabled_at() {
    let text = ladder(
        "rule \"prize\" at[2] = 1 & at[3] = 3 ==> begin last := 2; end;
        invariant \"no prize\" isundefined(last);",
    );
    let found = compared(Reduce::Adaptive, &text);
    assert_eq!(verdict(&found, "no prize"), Verdict::Violated);
    let property = &found.properties[0].violations[0];
    assert_eq!(property.trace.steps.len(), 1 + 4 + 1, "one step of 2, three of 3, the prize");
}

/// An error that only one process makes.
#[test]
fn an_asymmetric_rule_goes_wrong() {
    let text = ladder("rule \"slip\" at[1] = 2 & at[3] = 1 ==> begin error \"slipped\"; end;");
    let found = check(&Source::new("ladder.m", text), &Options::default()).expect("a check");
    assert_eq!(found.reduction, "adaptive");
    assert_eq!(verdict(&found, "no error at run time"), Verdict::Violated);
    let wrong = found.properties.iter().flat_map(|property| &property.violations).next().expect("a run");
    assert_eq!(wrong.trace.steps.len(), 1 + 3, "two steps of 1, one of 3");
}

/// At the top there is nothing to do, unless process 3 alone can go down: no deadlock. If another one can only while 3 is
/// below, then there is one.
#[test]
fn deadlocks_depend_on_who_is_where() {
    let free = both(&ladder("rule \"step down\" at[3] = 3 ==> begin at[3] := 2; end;"));
    assert_eq!(verdict(&free, "no deadlock"), Verdict::Holds);
    let stuck = both(&ladder("rule \"step down\" at[1] = 3 & at[3] < 3 ==> begin at[1] := 0; end;"));
    assert_eq!(verdict(&stuck, "no deadlock"), Verdict::Violated);
}

/// A property that names a process is checked for every state that a node stands for.
#[test]
fn a_property_may_name_a_process() {
    let found = both(&ladder(
        "rule \"help\" at[1] = 0 ==> begin at[1] := 1; last := 1; end;
        invariant \"one is not alone at the top\" at[1] = 3 -> at[2] > 0 | at[3] > 0;
        invariant \"nobody is\" forall p: Process do at[p] = 3 -> exists q: Process do p != q & at[q] > 0 end end;
        cover \"two is\" at[2] = 3 & at[1] = 0 & at[3] = 0;",
    ));
    assert_eq!(verdict(&found, "one is not alone at the top"), Verdict::Violated);
    assert_eq!(verdict(&found, "two is"), Verdict::Holds);
}

/// An assumption that names a process counts for every rule.
#[test]
fn an_assumption_may_name_a_process() {
    compared(
        Reduce::Adaptive,
        &ladder(
            "rule \"help\" at[1] = 0 ==> begin at[1] := 1; end;
        assume \"two stays low\" at[2] < 2;
        invariant \"low\" at[3] < 3;",
        ),
    );
}

#[test]
fn what_is_not_possible_is_refused() {
    let refused = |text: &str, options: Options| match check(&Source::new("ladder.m", text), &options) {
        Err(Failure::Refused(message)) => message,
        other => panic!("{other:?}"),
    };
    let adaptive = Options { reduce: Reduce::Adaptive, ..Options::default() };
    let asymmetric = ladder("rule \"help\" at[1] = 0 ==> begin at[1] := 1; end;");
    let compact = Options { compact: true, ..adaptive.clone() };
    assert!(refused(&asymmetric, compact).contains("`--compact` is not possible with `--reduce adaptive`"));
    let live = format!("{asymmetric} liveness \"again\" at[1] = 0;");
    assert!(refused(&live, adaptive.clone()).contains("`again` is a liveness property"));
    let none = "var x: boolean; startstate x := true; end; rule x := !x; end;";
    assert!(refused(none, adaptive.clone()).contains("no rule leaves any symmetry"));
    // By itself, the search then goes on without.
    assert_ne!(report(&live, Reduce::Auto).reduction, "adaptive");
    // What is wholly symmetric may be searched adaptively as well.
    let whole = ladder("");
    let (a, b) = (report(&whole, Reduce::Adaptive), report(&whole, Reduce::Auto));
    assert_eq!((a.reduction.as_str(), b.reduction.as_str()), ("adaptive", "canonical"));
    assert_eq!((a.states, a.full_states), (b.states, b.full_states));
}

/// Where most steps tell all processes apart, adapting costs more than it saves: it is given up.
#[test]
fn adapting_is_given_up_where_it_does_not_pay() {
    let text = "type Process: 1..5; Value: 0..5;
        var at: array [Process] of Value;
        startstate begin for p: Process do at[p] := 0; end; end;
        ruleset p: Process do
          rule \"up\" at[p] < 5 ==> begin at[p] := at[p] + 1; end;
          rule \"back\" at[p] = 5 ==> begin at[p] := 0; end;
        end;
        ruleset p: Process; q: Process do
          rule \"overtake\" p < q & at[p] = 1 & at[q] = 0 ==> begin at[q] := 2; end;
        end;";
    let (found, full) = (report(text, Reduce::Auto), report(text, Reduce::None));
    assert_eq!((found.reduction.as_str(), found.states), ("none", full.states));
    assert_eq!(found.verdict, Verdict::Holds);
}

/// A priority by number tells all processes apart: a few nodes are divided into thousands of states. The trial ends before
/// that costs more than the search without reduction.
#[test]
fn a_priority_by_number_is_not_tried_for_long() {
    for n in [8, 12] {
        let text = format!(
            "type Process: 1..{n}; var s: array [Process] of enum {{ Idle, Trying, Critical }};
            startstate begin for p: Process do s[p] := Idle; end; end;
            ruleset p: Process do
              rule \"try\" s[p] = Idle ==> begin s[p] := Trying; end;
              rule \"enter\" s[p] = Trying & (forall q: Process do s[q] != Critical & (q < p -> s[q] != Trying) end) ==>
                begin s[p] := Critical; end;
              rule \"leave\" s[p] = Critical ==> begin s[p] := Idle; end;
            end;
            invariant \"one\" forall p: Process; q: Process do s[p] = Critical & s[q] = Critical -> p = q end;"
        );
        let (found, full) = (report(&text, Reduce::Auto), report(&text, Reduce::None));
        assert_eq!((found.verdict, found.full_states), (Verdict::Holds, full.full_states), "{n}");
    }
}
