//! UPPAAL models from text to report.

#[path = "timed/constructs.rs"]
mod constructs;
#[path = "timed/groups.rs"]
mod groups;
#[path = "timed/runs.rs"]
mod runs;

use std::path::Path;

use burnside::{Detect, Failure, Options, Reduce, Report, Source, Verdict, Wanted, check, symmetry};

fn options(queries: &str) -> Options {
    Options { queries: Some(Source::new("model.q", queries)), ..Options::default() }
}

fn report(text: &str, queries: &str) -> Report {
    check(&Source::new("model.xta", text), &options(queries)).unwrap()
}

/// Every model of the folder has queries, which hold, with symmetry and without, in any order of search; and the command
/// that shows the symmetry shows what is used.
#[test]
fn models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/uppaal");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "xta") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let source = Source::new(name, std::fs::read_to_string(&path).unwrap());
        let queries = std::fs::read_to_string(path.with_extension("q")).unwrap();
        let with = check(&source, &options(&queries)).unwrap();
        let without = check(&source, &Options { reduce: Reduce::None, ..options(&queries) }).unwrap();
        assert_eq!(with.verdict, Verdict::Holds, "{name}");
        assert_eq!(without.verdict, Verdict::Holds, "{name}");
        assert!(!with.properties.is_empty() && with.states <= without.states, "{name}");
        let deep = Options { depth_first: true, run: Wanted::Fastest, ..options(&queries) };
        assert_eq!(check(&source, &deep).unwrap().verdict, Verdict::Holds, "{name}");
        let shown = symmetry(&source, &options(&queries)).unwrap();
        assert_eq!(shown.symmetry.structure, with.symmetry.structure, "{name}");
        assert_eq!(shown.symmetry.order, with.symmetry.order, "{name}");
        assert!(shown.rules.iter().any(|orbit| orbit.members.len() > 1), "{name}");
        count += 1;
    }
    assert!(count >= 4);
}

const FISCHER: &str = include_str!("../../../models/uppaal/fischer_set.xta");

/// Fischer's protocol whose processes do not wait long enough.
const IMPATIENT: &str = "
typedef scalar[3] pid_t;
bool set;
pid_t id;
process P(const pid_t pid) {
    clock x;
    state A, req { x <= 2 }, wait, cs;
    init A;
    trans
        A -> req { guard !set; assign x = 0; },
        req -> wait { guard x <= 2; assign x = 0, id = pid, set = true; },
        wait -> req { guard !set; assign x = 0; },
        wait -> cs { guard x > 1 && id == pid; },
        cs -> A { assign set = false; };
}
system P;
";

#[test]
fn a_violation_has_a_run_with_times() {
    let report =
        report(IMPATIENT, "A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j");
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!((report.symmetry.order.as_str(), report.symmetry.verified), ("6", true));
    let trace = report.properties[0].violations[0].trace.text(Default::default());
    assert!(trace.contains("at time 1 1/") && trace.contains("wait -> cs"), "{trace}");
    // Two processes take six steps at least.
    assert_eq!(report.properties[0].violations[0].trace.steps.len(), 7, "{trace}");
}

/// The shortest run, the fastest, and what is said of them.
#[test]
fn the_best_runs() {
    let query = "A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j";
    for reduce in [Reduce::Auto, Reduce::None] {
        let said = |run: Wanted, depth_first: bool, text: &str| {
            let asked = Options { run, depth_first, reduce, ..options(query) };
            let report = check(&Source::new("model.xta", text), &asked).unwrap();
            assert_eq!(report.verdict, Verdict::Violated);
            let property = &report.properties[0];
            (property.reason.clone().unwrap_or_default(), property.violations[0].trace.steps.len())
        };
        assert_eq!(said(Wanted::First, false, IMPATIENT).0, "");
        for depth_first in [false, true] {
            let shortest = said(Wanted::Shortest, depth_first, IMPATIENT);
            assert_eq!(shortest, ("no run is shorter: 6 steps".to_owned(), 7));
            let (fastest, _) = said(Wanted::Fastest, depth_first, IMPATIENT);
            assert!(fastest.starts_with("every run takes more than 2 time units, this one 2 "), "{fastest}");
            // The second may write as late as the first is in the critical section.
            let closed = IMPATIENT.replace("x > 1", "x >= 1");
            let (fastest, _) = said(Wanted::Fastest, depth_first, &closed);
            assert_eq!(fastest, "no run is faster: 2 time units");
        }
    }
}

/// Who comes late is stuck; who comes early can still go on, but later than the first can be stuck.
#[test]
fn the_fastest_run_ends_in_a_deadlock() {
    let text = "
        process P() {
            clock x, y;
            state A, B, C;
            init A;
            trans
                A -> B { guard y <= 3; assign x = 0; },
                B -> C { guard x >= 4 && y < 5; },
                C -> C { };
        }
        system P;";
    let asked = Options { run: Wanted::Fastest, ..options("A[] not (P.B && deadlock)") };
    let report = check(&Source::new("model.xta", text), &asked).unwrap();
    assert_eq!(report.properties[0].reason.as_deref(), Some("no run is faster: 1 time unit"));
    let trace = report.properties[0].violations[0].trace.text(Default::default());
    assert!(trace.contains("at time 1: P: A -> B"), "{trace}");
}

/// A short way takes long, and a long one is fast; both lead to the same place, which can only be left by waiting.
#[test]
fn the_shortest_run_is_not_the_fastest() {
    let text = "
        process P() {
            clock x;
            state A, B, C, D { x <= 7 }, E;
            init A;
            trans
                A -> D { guard x >= 5; assign x = 0; },
                A -> B { guard x >= 1; assign x = 0; },
                B -> C { guard x >= 1; assign x = 0; },
                C -> D { guard x >= 1; assign x = 4; },
                D -> E { guard x >= 6; };
        }
        system P;";
    let reason = |run: Wanted, query: &str| {
        let asked = Options { run, ..options(query) };
        let report = check(&Source::new("model.xta", text), &asked).unwrap();
        report.properties[0].reason.clone().unwrap()
    };
    assert_eq!(reason(Wanted::Shortest, "E<> P.E"), "no run is shorter: 2 steps");
    assert_eq!(reason(Wanted::Fastest, "E<> P.E"), "no run is faster: 5 time units");
    assert_eq!(reason(Wanted::Shortest, "A[] not deadlock"), "no run is shorter: 2 steps");
    assert_eq!(reason(Wanted::Fastest, "A[] not deadlock"), "no run is faster: 5 time units");
    assert_eq!(reason(Wanted::Shortest, "E<> P.B"), "no run is shorter: 1 step");
    assert_eq!(
        reason(Wanted::Fastest, "E<> P.D && P.x > 6"),
        "every run takes more than 5 time units, this one 5 1/2"
    );
}

#[test]
fn runs_that_cannot_be_compared_are_refused() {
    let asked = |text: &str, name: &str, queries: &str| {
        let options = Options { run: Wanted::Shortest, ..options(queries) };
        match check(&Source::new(name, text), &options) {
            Err(Failure::Refused(message)) => message,
            other => panic!("{other:?}"),
        }
    };
    assert!(
        asked(IMPATIENT, "model.xta", "A<> forall (i : pid_t) P(i).A").contains("of which there are none")
    );
    let murphi = "var x : 0..1; startstate x := 0; end; rule x = 0 ==> x := 1; end;";
    assert!(asked(murphi, "model.m", "").contains("`--run` is for UPPAAL models only"));
}

#[test]
fn what_breaks_the_symmetry_is_shown() {
    let fischer = include_str!("../../../models/uppaal/fischer.xta");
    let shown = |text: &str, queries: &str, detect: Detect| {
        symmetry(&Source::new("model.xta", text), &Options { detect, ..options(queries) }).unwrap()
    };
    // A query that names a process keeps it in its place, and is what is shown.
    let named = shown(fischer, "A[] not deadlock\nE<> P(2).cs", Detect::Auto);
    assert_eq!(named.symmetry.order, "24");
    assert_eq!(
        (named.factors[0].derived.as_str(), named.factors[0].elements.join(" ")),
        ("detected", "1 2 3 4".to_owned())
    );
    let of_name: Vec<_> = named.properties.iter().map(|p| (p.property.as_str(), p.order.as_str())).collect();
    assert_eq!(of_name, [("E<> P(2).cs", "6")]);
    let of_query = |found: &&burnside::report::Warning| {
        found.place.as_ref().is_some_and(|place| place.file == "model.q" && place.line == 2)
    };
    assert!(named.breaks.iter().any(|found| of_query(&found) && found.code == "W0204"), "{:?}", named.breaks);
    let all = shown(fischer, "A[] not deadlock", Detect::Auto);
    assert_eq!(all.symmetry.order, "24");
    assert!(!all.breaks.iter().any(|found| of_query(&found)));
    assert_eq!(shown(fischer, "", Detect::Off).symmetry.structure, "trivial");
    // An edge that names one, and one that compares them.
    let special = fischer.replace(
        "guard id == 0; assign x = 0; },\n        req",
        "guard id == 0 && pid != 3; assign x = 0; },\n        req",
    );
    let special = shown(&special, "", Detect::Auto);
    assert_eq!(special.symmetry.order, "6");
    assert!(
        special.breaks.iter().any(|found| found.message.contains("only {1,2,4} are interchangeable")),
        "{:?}",
        special.breaks
    );
    let ordered = fischer.replace("x > K && id == pid", "x > K && id <= pid");
    let ordered = shown(&ordered, "", Detect::Auto);
    assert_eq!(ordered.symmetry.structure, "trivial");
    assert!(
        ordered.breaks.iter().any(|found| found.message.contains("is not symmetric")),
        "{:?}",
        ordered.breaks
    );
    // A declared scalarset that is refused.
    let last = "
        typedef scalar[3] id_t;
        id_t last;
        broadcast chan all;
        process Q() { state A; init A; trans A -> A { sync all!; }; }
        process P(const id_t me) { state A; init A; trans A -> A { sync all?; assign last = me; }; }
        system Q, P;";
    let last = shown(last, "", Detect::Auto);
    assert_eq!(last.symmetry.structure, "trivial");
    assert!(last.breaks[0].message.contains("the scalars of `id_t` are not used"), "{:?}", last.breaks);
}

#[test]
fn a_deadlock_is_found() {
    let text =
        "process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { guard x >= 2; }; } system P;";
    let report = report(text, "A[] not deadlock\nE<> P.B && deadlock\nE<> P.A && deadlock");
    let verdicts: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated, Verdict::Holds, Verdict::Violated]);
}

/// Two ways lead to the same location; only the second lets the clocks differ, which nothing but a guard on their
/// difference tells.
#[test]
fn differences_of_clocks_are_told_apart() {
    let text = "
        process P() {
            clock x, y;
            state A { x <= 5 }, B, C;
            init A;
            trans
                A -> B { },
                A -> B { guard x >= 3; assign y = 0; },
                B -> C { guard x - y >= 2; };
        }
        system P;";
    let report = report(text, "E<> P.C\nE<> P.C && P.x - P.y > 5");
    let verdicts: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Violated]);
}

#[test]
fn errors_at_run_time_end_the_search() {
    let text = "int[0,2] v; process P() { state A; init A; trans A -> A { assign v = v + 1; }; } system P;";
    let report = report(text, "A[] v <= 2");
    let error = report.properties.iter().find(|property| property.verdict == Verdict::Violated).unwrap();
    assert!(error.violations[0].message.contains("outside the range"), "{:?}", error.violations[0].message);
    assert_eq!(error.violations[0].trace.steps.len(), 3);
    // The query was not decided.
    assert_eq!(report.properties[0].verdict, Verdict::Unknown);
}

#[test]
fn loops_and_broadcasts_that_tell_scalars_apart_are_not_reduced() {
    let ordered = "
        typedef scalar[3] id_t;
        id_t last;
        broadcast chan all;
        process Q() { state A; init A; trans A -> A { sync all!; }; }
        process P(const id_t me) { state A; init A; trans A -> A { sync all?; assign last = me; }; }
        system Q, P;";
    let report = report(ordered, "E<> exists (i : id_t) last == i");
    assert_eq!(report.reduction, "none");
    assert!(report.warnings.iter().any(|warning| warning.code == "W0204"), "{:?}", report.warnings);
    let looped = ordered
        .replace("sync all?; assign last = me;", "assign last = me;")
        .replace("id_t last;", "id_t last; void f() { for (i : id_t) last = i; }");
    let looped = looped.replace("sync all!;", "assign f();");
    let report = self::report(&looped, "E<> exists (i : id_t) last == i");
    assert_eq!(report.reduction, "none");
}

#[test]
fn what_may_never_happen_has_a_run_that_repeats() {
    let report = report(
        FISCHER,
        "(exists (i : pid_t) P(i).wait) --> (exists (i : pid_t) P(i).cs)
         A<> exists (i : pid_t) P(i).cs
         E[] forall (i : pid_t) not P(i).cs
         (exists (i : pid_t) P(i).req) --> (exists (i : pid_t) P(i).wait)
         (exists (i : pid_t) P(i).cs) --> (forall (i : pid_t) not P(i).cs)",
    );
    let verdicts: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts, [Violated, Violated, Holds, Holds, Violated]);
    assert_eq!(report.reduction, "scalarsets");
    let shown = |property: usize| {
        let violation = &report.properties[property].violations[0];
        (violation.message.clone(), violation.trace.text(Default::default()))
    };
    let (message, trace) = shown(0);
    assert!(message.contains("stays") && trace.contains("and time passes for ever"), "{message}\n{trace}");
    assert!(trace.contains("here the first condition holds"), "{trace}");
    // Nobody has to ask for the critical section.
    assert!(shown(1).1.contains("at time 0: from here on no step is taken"), "{}", shown(1).1);
    assert!(report.properties[2].witness.is_some());
}

/// Two processes pass a token on every five time units; one of them can be left out forever.
#[test]
fn a_loop_comes_back_with_the_same_clocks() {
    let text = "
        typedef scalar[3] id_t;
        id_t turn;
        process P(const id_t me) {
            clock x;
            state idle, busy { x <= 5 };
            init idle;
            trans
                idle -> busy { guard turn == me; assign x = 0; },
                busy -> idle { select j : id_t; guard x > 3 && j != me; assign turn = j; };
        }
        process Watch() { clock w; state on { w <= 1 }; init on; trans on -> on { guard w == 1; assign w = 0; }; }
        system P, Watch;";
    let report = report(text, "(exists (i : id_t) P(i).busy) --> (forall (i : id_t) P(i).idle && turn != i)");
    assert_eq!(report.properties[0].verdict, Verdict::Violated);
    let violation = &report.properties[0].violations[0];
    assert!(violation.message.contains("repeats the same"), "{}", violation.message);
    assert!(violation.trace.back.is_some() && violation.trace.text(Default::default()).contains("-> on"));
}

#[test]
fn greatest_and_least_values() {
    let text = "
        int[0,9] v;
        process P() {
            clock x, y, z;
            state A { x <= 7 }, B { x < 3 }, C;
            init A;
            trans A -> B { guard x >= 2; assign x = 0, v = 4; }, B -> C { assign y = 0; };
        }
        system P;";
    let report = report(
        text,
        "sup: v\ninf{P.B}: v\nsup{P.A}: P.x\nsup{P.B}: P.x, P.z\ninf{P.B}: P.y\nsup: P.x\nsup{v == 9}: v\nbounds: v\nbounds{P.B}: P.y",
    );
    let found: Vec<_> = report.properties.iter().map(|p| p.reason.clone().unwrap_or_default()).collect();
    let expected = [
        "4",
        "4",
        "7",
        "below 3, never equal, below 10, never equal",
        "2",
        "without bound",
        "the condition never holds",
        "0 to 4",
        "2 to below 10, never equal",
    ];
    assert_eq!(found, expected);
    assert_eq!(report.verdict, Verdict::Holds);
}

/// What each construct of the language does: a model, and a query that holds because of it.
#[test]
fn constructs_mean_what_they_should() {
    let one =
        |edges: &str| format!("process P() {{ clock x; state A, B, C; init A; trans {edges}; }} system P;");
    let cases: Vec<(&str, String, &str)> = vec![
        ("int", "int v = -3;".to_owned() + &one("A -> B { guard v == -3; }"), "E<> P.B"),
        ("int[a,b]", "int[2,5] v;".to_owned() + &one("A -> B { guard v == 2; }"), "E<> P.B"),
        ("bool", "bool b = true;".to_owned() + &one("A -> B { guard b; assign b = !b; }"), "E<> !b"),
        ("clock", one("A -> B { guard x == 3; }"), "E<> P.B && P.x == 3"),
        ("chan", "chan c; process Q() { state D, E; init D; trans D -> E { sync c!; }; } process P() { state A, B; init A; trans A -> B { sync c?; }; } system P, Q;".to_owned(), "A[] P.B == Q.E"),
        ("urgent chan", "urgent chan c; clock t; process Q() { state D, E; init D; trans D -> E { sync c!; }; } process P() { state A, B; init A; trans A -> B { sync c?; }; } system P, Q;".to_owned(), "A[] P.A imply t == 0"),
        ("broadcast chan", "broadcast chan c; process Q() { state D, E; init D; trans D -> E { sync c!; }; } process P(const int[0,1] i) { state A, B; init A; trans A -> B { sync c?; }; } system P, Q;".to_owned(), "A[] Q.E imply P(0).B && P(1).B"),
        ("const", "const int N = 2 * 3;".to_owned() + &one("A -> B { guard x >= N; }"), "E<> P.B && P.x == 6"),
        ("typedef", "typedef int[0,2] small; small v = 2;".to_owned() + &one("A -> B { guard v == 2; }"), "E<> P.B"),
        ("array by size", "int v[3] = { 1, 2, 3 };".to_owned() + &one("A -> B { guard v[2] == 3; }"), "E<> P.B"),
        ("array by type", "typedef int[4,5] t; bool v[t];".to_owned() + &one("A -> B { assign v[5] = true; }"), "E<> v[5] && !v[4]"),
        ("struct", "struct { int a; bool b; } s = { 7, true };".to_owned() + &one("A -> B { guard s.a == 7 && s.b; }"), "E<> P.B"),
        ("scalar", "typedef scalar[2] t; t a, b;".to_owned() + &one("A -> B { select i : t; guard i != a; assign b = i; }"), "E<> a != b"),
        ("for over a type", "int s; void f() { for (i : int[1,4]) s += i; }".to_owned() + &one("A -> B { assign f(); }"), "E<> s == 10"),
        ("for", "int s; void f() { int i; for (i = 0; i < 3; i++) s += 2; }".to_owned() + &one("A -> B { assign f(); }"), "E<> s == 6"),
        ("while", "int s = 1; void f() { while (s < 20) s *= 3; }".to_owned() + &one("A -> B { assign f(); }"), "E<> s == 27"),
        ("do", "int s; void f() { do s++; while (s < 1); }".to_owned() + &one("A -> B { assign f(); }"), "E<> s == 1"),
        ("if and return", "int f(int v) { if (v > 2) return 1; else return 0; }".to_owned() + &one("A -> B { guard f(3) == 1 && f(2) == 0; }"), "E<> P.B"),
        ("reference parameter", "int v = 1, w = 2; void swap(int &a, int &b) { int t = a; a = b; b = t; }".to_owned() + &one("A -> B { assign swap(v, w); }"), "E<> v == 2 && w == 1"),
        ("forall, exists, sum", "int v[3] = { 1, 2, 3 };".to_owned() + &one("A -> B { guard (forall (i : int[0,2]) v[i] > 0) && (exists (i : int[0,2]) v[i] == 3) && (sum (i : int[0,2]) v[i]) == 6; }"), "E<> P.B"),
        ("select", "int v;".to_owned() + &one("A -> B { select i : int[3,5]; assign v = i; }"), "E<> v == 4"),
        ("urgent location", "clock t; process P() { state A, B; urgent A; init A; trans A -> B { }; } system P;".to_owned(), "A[] P.A imply t == 0"),
        ("committed location", "process Q() { state D, E; init D; trans D -> E { }; } process P() { state A, B; commit A; init A; trans A -> B { }; } system P, Q;".to_owned(), "A[] Q.E imply P.B"),
        ("invariant", "process P() { clock x; state A { x <= 4 }, B; init A; trans A -> B { }; } system P;".to_owned(), "A[] P.A imply P.x <= 4"),
        ("partial instance", "int v; process T(int a, const int[0,1] i) { state A, B; init A; trans A -> B { assign v = a; }; } P(const int[0,1] j) = T(5, j); system P;".to_owned(), "E<> v == 5 && P(1).B"),
        ("full instance", "int v; process T(int &a) { state A, B; init A; trans A -> B { assign a = 3; }; } P = T(v); system P;".to_owned(), "E<> v == 3"),
        ("process priority", "process Q() { state D, E; init D; trans D -> E { }; } process P() { state A, B; init A; trans A -> B { }; } system Q < P;".to_owned(), "A[] Q.E imply P.B"),
        ("channel priority", "broadcast chan a, b; chan priority a < b; process Q() { state D, E; init D; trans D -> E { sync a!; }; } process P() { state A, B; init A; trans A -> B { sync b!; }; } system Q, P;".to_owned(), "A[] Q.E imply P.B"),
        ("clock array", "clock c[2];".to_owned() + &one("A -> B { guard c[1] >= 2; assign c[0] = 0; }"), "E<> P.B && c[0] == 0 && c[1] == 2"),
        ("clock set to an integer", one("A -> B { assign x = 4; }"), "E<> P.B && P.x == 4"),
        ("meta", "meta int v;".to_owned() + &one("A -> B { assign v = 2; }"), "E<> v == 2"),
        ("minimum and maximum", "int v;".to_owned() + &one("A -> B { assign v = (3 <? 5) + (3 >? 5); }"), "E<> v == 8"),
        ("target invariant forbids", "process P() { clock x; state A, B { x <= 2 }; init A; trans A -> B { guard x >= 3; }; } system P;".to_owned(), "A[] P.A"),
        ("sender before receiver", "int v; chan c; process Q() { state D, E; init D; trans D -> E { sync c!; assign v = 1; }; } process P() { state A, B; init A; trans A -> B { sync c?; assign v = v * 2; }; } system P, Q;".to_owned(), "A[] P.B imply v == 2"),
        ("difference of clocks", "clock y;".to_owned() + &one("A -> B { guard x >= 2; assign y = 0; }, B -> C { guard x - y >= 2; }"), "E<> P.C"),
    ];
    for (construct, text, query) in cases {
        let checked = check(&Source::new("model.xta", &text), &options(query));
        let report = checked.unwrap_or_else(|failure| panic!("{construct}: {failure:?}\n{text}"));
        assert_eq!(report.verdict, Verdict::Holds, "{construct}\n{text}\n{query}");
    }
}

#[test]
fn other_engines_are_refused() {
    let asked = Options { engine: burnside::Engine::Bdd, ..options("") };
    let refused = check(&Source::new("model.xta", IMPATIENT), &asked);
    assert!(matches!(refused, Err(Failure::Refused(why)) if why.contains("--engine")));
}

#[test]
fn xml_models_and_their_queries() {
    let xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>
<nta>
  <declaration>clock x; int[0,3] v;</declaration>
  <template>
    <name>P</name>
    <location id=\"id0\"><name>A</name><label kind=\"invariant\">x &lt;= 5</label></location>
    <location id=\"id1\"><committed/></location>
    <init ref=\"id0\"/>
    <transition><source ref=\"id0\"/><target ref=\"id1\"/>
      <label kind=\"select\">k : int[1,2]</label>
      <label kind=\"guard\">x &gt; 2 &amp;&amp; v + k &lt;= 3</label>
      <label kind=\"assignment\">v += k, x = 0</label>
    </transition>
    <transition><source ref=\"id1\"/><target ref=\"id0\"/></transition>
  </template>
  <system>system P;</system>
  <queries>
    <query><formula>E&lt;&gt; v == 3 and x &gt; 4</formula><comment/></query>
    <query><formula>A[] v &lt; 3</formula><comment/></query>
  </queries>
</nta>";
    let report = check(&Source::new("model.xml", xml), &Options::default()).unwrap();
    let verdicts: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Violated]);
}

/// The models with what they store, with symmetry and without, and the group.
#[test]
fn models_store_few_states() {
    let expected = [
        ("agreement.xta", "S3(id_t)", 2064, 11203),
        ("bus.xta", "S3(id_t)", 21, 112),
        ("gossip.xta", "S3(id_t)", 90, 245),
        ("timeout_task.xta", "S2(id_t)", 50, 95),
        ("token_ring.xta", "C4(id_t)", 56, 224),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/uppaal");
    let found = expected.map(|(name, ..)| {
        let source = Source::new(name, std::fs::read_to_string(folder.join(name)).unwrap());
        // Nothing asked: all states, whatever the queries are.
        let with = check(&source, &options("")).unwrap();
        let without = check(&source, &Options { reduce: Reduce::None, ..options("") }).unwrap();
        (name, with.symmetry.structure, with.states, without.states)
    });
    let found = found.each_ref().map(|(name, group, with, without)| (*name, group.as_str(), *with, *without));
    assert_eq!(found, expected);
}
