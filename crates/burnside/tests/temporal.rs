//! Temporal properties from text to verdict: on the concrete graph, which is what engines are compared with, with decision
//! diagrams, and as the engines that do not check them report them.

#[allow(dead_code)]
mod random;

use std::path::Path;

use burnside::{Engine, Failure, Kind, Options, Reduce, Report, Source, check};
use burnside_lang::murphi::{load, printer};
use burnside_logic::concrete::Concrete;
use burnside_logic::ctl::Found;
use burnside_model::code::{DomainId, LogicOp, LoopRange, Quantifier, Semantics};
use burnside_model::system::{
    Binder, Formula, FormulaKind, Logic, Machine, Paths, Property, PropertyKind, Strength, UnaryOp,
};
use burnside_model::{Model, Verdict};
use burnside_symmetry::Action;
use burnside_symmetry::detect::detect;
use burnside_symmetry::verify::{verify, verify_property};

use random::compare;

fn read(text: &str, constants: &[(&str, &str)]) -> Model {
    let given: Vec<_> = constants.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (model, diagnostics) = load(&Source::new("test.m", text), &given);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The verdict on every `ctl` property, by name.
fn verdicts(model: &Model) -> Vec<(String, Verdict)> {
    let concrete = Concrete::explore(model, Semantics::default(), 10_000).expect("a small model");
    let ctl = model.properties.iter().filter(|property| property.kind == PropertyKind::Ctl);
    ctl.map(|property| (property.name.clone(), concrete.verdict(property).expect("no fault"))).collect()
}

fn token_mutex() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    std::fs::read_to_string(folder.join("token_mutex_ctl.m")).expect("the model")
}

/// What the header of a model says of its `ctl` properties.
fn expected(text: &str) -> Vec<(String, Verdict)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("-- burnside-ctl: "));
    let one = |line: &str| {
        let (verdict, name) = line.split_once(' ').expect("a verdict and a name");
        let verdicts = [Verdict::Holds, Verdict::Violated];
        let verdict = verdicts.into_iter().find(|v| v.name() == verdict).expect("a verdict");
        (name.trim_matches('"').to_owned(), verdict)
    };
    lines.map(one).collect()
}

#[test]
fn token_mutex_keeps_its_promises() {
    let text = token_mutex();
    assert_eq!(expected(&text).len(), 6);
    for size in ["2", "3", "4"] {
        assert_eq!(verdicts(&read(&text, &[("N", size)])), expected(&text), "N = {size}");
    }
}

#[test]
fn processes_starve_unless_the_token_comes_round() {
    for (fairness, verdict) in [
        ("fairness weak Pid;", Verdict::Violated),
        ("fairness strong Pid;", Verdict::Violated),
        ("ruleset p : Pid do fairness \"the token comes round\" tok = p; end;", Verdict::Holds),
    ] {
        let model = read(&(token_mutex() + fairness), &[]);
        let found = verdicts(&model);
        let starving = found.iter().find(|(name, _)| name == "nobody starves").expect("it is there");
        assert_eq!(starving.1, verdict, "{fairness}");
        let others = found.iter().filter(|(name, _)| name != "nobody starves");
        assert!(others.into_iter().all(|(_, verdict)| *verdict == Verdict::Holds), "{fairness}");
    }
}

#[test]
fn starvation_is_a_lasso() {
    let text = token_mutex();
    let (trying, critical) = (1, 2);
    for fairness in ["", "fairness weak Pid;", "fairness strong Pid;"] {
        let model = read(&(text.clone() + fairness), &[]);
        let concrete = Concrete::explore(&model, Semantics::default(), 1000).expect("a small model");
        let property = model.properties.iter().find(|p| p.name == "nobody starves").expect("it is there");
        let Ok(Found::Violated(explanation)) = concrete.check(property) else { panic!("it is violated") };
        assert!(explanation.complete);
        let back = explanation.path.back.expect("a loop");
        let [(_, process)] = explanation.bindings[..] else { panic!("one process starves") };
        let states = concrete.run(&explanation);
        let mut machine = Machine::new(&model, Semantics::default());
        // The variables are laid out as declared: the locations, then the token.
        let location = |state: &[i64]| state[process as usize];
        assert!(states[back..].iter().all(|state| location(state) == trying));
        assert!(states[back..].iter().any(|state| state[3] != process));
        assert!(states[back..].iter().any(|state| (0..3).any(|p| state[p] == critical)));
        let ring: Vec<_> =
            (0..states.len()).map(|i| (i, if i + 1 < states.len() { i + 1 } else { back })).collect();
        for (from, to) in ring {
            let mut found = false;
            let _ = burnside_model::System::successors(&mut machine, states[from], &mut |step| {
                found |= matches!(step.outcome, burnside_model::system::Outcome::State(s) if s == states[to]);
                std::ops::ControlFlow::Continue(())
            });
            assert!(found, "every step is one");
        }
    }
}

#[test]
fn the_same_in_linear_time() {
    let starves = "ltl \"nobody starves\" forall p : Pid do G (loc[p] = Trying -> F loc[p] = Critical) end;";
    let given = "ltl \"if the token comes\" forall p : Pid do
        (G F tok = p) -> G (loc[p] = Trying -> F loc[p] = Critical) end;";
    let somebody = "ltl \"somebody\" G F (exists p : Pid do loc[p] = Critical end);";
    let round = "ruleset p : Pid do fairness \"the token comes round\" tok = p; end;";
    for (fairness, expected) in
        [("", Verdict::Violated), ("fairness strong Pid;", Verdict::Violated), (round, Verdict::Holds)]
    {
        let model = read(&(token_mutex() + starves + given + somebody + fairness), &[]);
        let concrete = Concrete::explore(&model, Semantics::default(), 1000).expect("a small model");
        let linear = model.properties.iter().filter(|property| property.kind == PropertyKind::Ltl);
        let found: Vec<_> = linear.map(|property| concrete.verdict(property).expect("no fault")).collect();
        assert_eq!(found, [expected, Verdict::Holds, Verdict::Holds], "{fairness}");
    }
}

/// A model where something may be done or left, under a fairness statement.
fn lazy(rule: &str, guard: &str) -> Verdict {
    let text = format!(
        "var done, on : boolean;
         startstate begin done := false; on := false; end;
         rule \"switch\" true ==> begin on := !on; end;
         {rule} \"do\" !done {guard} ==> begin done := true; end;
         ctl \"done at last\" AF done;"
    );
    verdicts(&read(&text, &[]))[0].1
}

#[test]
fn weak_and_strong_fairness_to_rules() {
    assert_eq!(lazy("rule", ""), Verdict::Violated);
    assert_eq!(lazy("fair rule", ""), Verdict::Holds);
    assert_eq!(lazy("fair rule", "& on"), Verdict::Violated, "it is not enabled all the time");
    assert_eq!(lazy("strong fair rule", "& on"), Verdict::Holds);
}

#[test]
fn a_state_without_successors_stays() {
    let text = "var x : 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;
        ctl \"it ends\" AF AG x = 3;
        ctl \"it goes on\" AG EX x != 3;
        ctl \"past\" AG (x = 3 -> EY x = 3);
        ctl \"no past\" EY true;";
    let found: Vec<_> = verdicts(&read(text, &[])).into_iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(found, [Verdict::Holds, Verdict::Violated, Verdict::Holds, Verdict::Violated]);
}

#[test]
fn words_of_formulas_may_be_names() {
    let text = "type ctl : 0..1; ltl : enum { AG, EF, U, fair, weak };
        var fairness : ctl; strong : ltl; F, G, X, A, E : boolean;
        procedure fair_rule(var x : boolean); begin x := !x; end;
        startstate begin fairness := 0; strong := AG; F := true; G := F; X := G; A := X; E := A; end;
        rule \"ctl\" strong = AG ==> begin strong := U; fairness := 1; fair_rule(F); end;
        fair rule \"fair\" strong = U ==> strong := fair; end;
        ctl \"E is a name where no bracket follows\" AF (!F & E -> strong = fair | A);
        ltl G = X;
        fairness \"fair\" strong != weak;";
    let model = read(text, &[]);
    assert_eq!(model.properties.len(), 3);
    assert_eq!(model.rules[1].fairness, Some(Strength::Weak));
    let printed = printer::print(&model);
    assert_eq!(printer::print(&read(&printed, &[])), printed);
}

#[test]
fn formulas_are_printed_as_they_are_read() {
    let formulas = [
        ("ctl", "forall p : P do AG (s[p] -> AF !s[p]) end", "forall p : P do AG (s[p] -> (AF (!s[p]))) end"),
        ("ctl", "exists p : P do EG s[p] end & AX x = 1", "exists p : P do EG s[p] end & (AX (x = 1))"),
        ("ctl", "A [ x = 0 | x = 1 U x = 2 ]", "A [ ((x = 0) | (x = 1)) U (x = 2) ]"),
        (
            "ctl",
            "!E [ x = 0 R EX x = 2 ] <-> EY EP x = 1",
            "(!(E [ (x = 0) R (EX (x = 2)) ])) <-> (EY (EP (x = 1)))",
        ),
        ("ltl", "G x = 1 -> F x = 2 U x = 3", "(G (x = 1)) -> ((F (x = 2)) U (x = 3))"),
        ("ltl", "!x = 1 W X (x = 2 & F x = 3)", "(!(x = 1)) W (X ((x = 2) & (F (x = 3))))"),
        ("ltl", "forall i := 0 to 2 do G F x != i end", "forall i := 0 to 2 do G (F (x != i)) end"),
        ("ctl", "AG (forall p : P do s[p] end) & AG x < 9", "(AG (forall p : P do s[p] end)) & (AG (x < 9))"),
    ];
    let head = "type P : scalarset(2); var s : array [P] of boolean; x : 0..3; startstate end;";
    for (logic, formula, printed) in formulas {
        let model = read(&format!("{head} {logic} \"f\" {formula};"), &[]);
        let text = printer::print(&model);
        assert!(text.contains(&format!("{logic} \"f\"\n  {printed};\n")), "{text}");
        assert_eq!(read(&text, &[]).properties[0].kind, model.properties[0].kind);
        assert_eq!(printer::print(&read(&text, &[])), text);
        let logic = model.properties[0].kind.logic().expect("a logic");
        assert!(model.properties[0].formula.as_ref().expect("a formula").fits(logic));
    }
}

fn checked(text: &str) -> Report {
    check(&Source::new("test.m", text), &Options::default()).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn checked_by(text: &str, engine: Engine, reduce: Reduce) -> Report {
    let mut options = Options { engine, reduce, ..Options::default() };
    options.limits.max_errors = 10;
    check(&Source::new("test.m", text), &options).unwrap_or_else(|failure| panic!("{failure:?}"))
}

#[test]
fn what_is_not_checked_is_refused_by_name() {
    let text = token_mutex() + "ltl \"linear\" G F true;\ninvariant \"fine\" true;";
    let linear = |report: &Report| {
        let property =
            report.properties.iter().find(|property| property.name == "linear").expect("it is there");
        (property.verdict, property.reason.clone())
    };
    let report = checked_by(&text, Engine::Bdd, Reduce::None);
    assert_eq!(linear(&report), (Verdict::Unknown, Some("ltl is decided by `--engine explicit`".to_owned())));
    let shown = burnside::report::text::render(&report, &Default::default());
    assert!(shown.contains("unknown   ltl \"linear\" (ltl is decided by `--engine explicit`)"), "{shown}");
    let json = burnside::report::json::render(&report).expect("JSON");
    assert!(json.contains("\"reason\": \"ltl is decided by `--engine explicit`\""), "{json}");
    let compact = Options { compact: true, ..Options::default() };
    let report = check(&Source::new("test.m", &text), &compact).expect("a report");
    assert!(linear(&report).1.is_some_and(|reason| reason.contains("--compact")));
    // All operators of eight processes.
    let many = "type P : scalarset(8); var s : array [P] of boolean; startstate for p : P do s[p] := false; end; end;
        ltl \"linear\" exists p : P do exists q : P do G (s[p] -> F s[q]) end end;";
    let (verdict, reason) = linear(&checked(many));
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.expect("why").contains("128 temporal operators"));
    // A small formula with a large automaton.
    let wide = "type P : scalarset(8); var s : array [P] of boolean; startstate for p : P do s[p] := false; end; end;
        ltl \"linear\" exists p : P do (F G s[p]) & (G F (s[p] -> X s[p])) end;";
    let (verdict, reason) = linear(&checked(wide));
    assert_eq!(verdict, Verdict::Unknown);
    assert!(reason.expect("why").contains("transitions"));
    let counted = "type P : scalarset(20); var s : array [P] of boolean; startstate for p : P do s[p] := false; end; end;
        ruleset p : P do rule s[p] := !s[p]; end; end; ltl \"linear\" G F true;";
    let options = Options { engine: Engine::Count, ..Options::default() };
    let reason = match check(&Source::new("test.m", counted), &options) {
        Ok(report) => linear(&report).1.expect("why"),
        Err(failure) => format!("{failure:?}"),
    };
    assert!(reason.contains("LTL"), "{reason}");
    // There is no past in linear time, nor `exists` inside a temporal operator, nor CTL in LTL.
    for (formula, word) in [
        ("ltl \"linear\" G P off;", "P"),
        ("ltl \"linear\" Y off;", "Y"),
        ("ltl \"linear\" AG off;", "AG"),
        ("ctl \"linear\" G off;", "G"),
        ("ctl \"linear\" AP off;", "AP"),
        ("ltl \"linear\" off S off;", "S"),
    ] {
        let text = format!("var off : boolean; startstate off := false; end; {formula}");
        let Err(Failure::Input(said)) = check(&Source::new("test.m", &text), &Options::default()) else {
            panic!("{formula} is accepted")
        };
        let said: Vec<String> = said.iter().map(|d| format!("{} {:?}", d.message, d.primary)).collect();
        assert!(said.iter().any(|said| said.contains(word)), "{formula}: {said:?}");
    }
    // A fairness constraint is no claim.
    let report = checked(&(token_mutex() + "fairness \"f\" true;"));
    assert!(report.properties.iter().all(|property| property.kind != PropertyKind::Fairness));
}

/// How formulas are decided.
const WAYS: [(Engine, Reduce); 6] = [
    (Engine::Auto, Reduce::Auto),
    (Engine::Bdd, Reduce::None),
    (Engine::Explicit, Reduce::None),
    (Engine::Bdd, Reduce::Diagrams(Kind::Dynamic)),
    (Engine::Bdd, Reduce::Diagrams(Kind::OrbitRelation)),
    (Engine::Bdd, Reduce::Diagrams(Kind::Component)),
];

fn decided(report: &Report) -> Vec<(String, Verdict)> {
    let ctl = report.properties.iter().filter(|property| property.kind == PropertyKind::Ctl);
    ctl.map(|property| (property.name.clone(), property.verdict)).collect()
}

#[test]
fn the_token_keeps_its_promises_in_every_way() {
    let round = "ruleset p : Pid do fairness \"the token comes round\" tok = p; end;";
    for (fairness, starves) in
        [("", true), ("fairness weak Pid;", true), ("fairness strong Pid;", true), (round, false)]
    {
        let text = token_mutex() + fairness;
        for (engine, reduce) in WAYS {
            let report = checked_by(&text, engine, reduce);
            let verdict = |name: &str| match starves && name == "nobody starves" {
                true => Verdict::Violated,
                false => Verdict::Holds,
            };
            for (name, found) in decided(&report) {
                assert_eq!(found, verdict(&name), "{name}, {fairness}, {reduce:?}");
            }
            for violation in report.properties.iter().flat_map(|property| &property.violations) {
                let trace = &violation.trace;
                let back = trace.back.expect("a loop");
                assert_eq!(trace.steps[back].state, trace.steps[trace.steps.len() - 1].state);
                assert!(violation.message.contains("does not hold for p: Pid_"), "{}", violation.message);
                assert!(trace.text(Default::default()).contains("it goes on like this for ever"));
            }
        }
    }
}

/// What one run can show is shown, of formulas that hold as well.
#[test]
fn formulas_that_hold_because_of_one_run() {
    let text = token_mutex()
        + "ctl \"may\" forall p : Pid do EF loc[p] = Critical end;
           ctl \"again\" EG (exists p : Pid do loc[p] != Trying end);
           ctl \"never\" !AG (exists p : Pid do loc[p] = NonCritical end);";
    for (engine, reduce) in WAYS {
        let report = checked_by(&text, engine, reduce);
        let witness = |name: &str| {
            let property = report.properties.iter().find(|p| p.name == name).expect("it is there");
            assert_eq!((property.verdict, property.violations.len()), (Verdict::Holds, 0), "{name}");
            let witness = property.witness.as_ref().expect("a run");
            (witness.trace.steps.len(), witness.trace.back, witness.message.clone())
        };
        let (steps, back, message) = witness("may");
        // Who needs no token is there in two steps; for another, somebody has to hand it over first.
        assert!((3..=6).contains(&steps) && back.is_none(), "{reduce:?}");
        assert!(message.starts_with("ctl \"may\" holds for p: Pid_"), "{message}");
        assert!(witness("again").1.is_some(), "{reduce:?}");
        assert_eq!(witness("never").0, 4, "{reduce:?}");
        assert!(report.properties.iter().all(|p| p.name != "somebody gets in" || p.witness.is_none()));
        let shown = burnside::report::text::render(&report, &Default::default());
        assert!(shown.contains("note: ctl \"may\" holds for p: Pid_"), "{shown}");
        let json = burnside::report::json::render(&report).expect("JSON");
        assert!(json.contains("\"loop\": "), "{json}");
    }
}

#[test]
fn a_report_says_how_formulas_were_decided() {
    let runs = |engine, reduce, more: &str| -> Vec<(String, String, String, String)> {
        let report = checked_by(&(token_mutex() + more), engine, reduce);
        let run = |run: &burnside::report::Run| {
            (run.engine.clone(), run.reduction.clone(), run.symmetry.clone(), run.states.clone())
        };
        report.runs.iter().map(run).collect()
    };
    let run = |engine: &str, reduction: &str, symmetry: &str, states: &str| {
        (engine.to_owned(), reduction.to_owned(), symmetry.to_owned(), states.to_owned())
    };
    let dynamic = Reduce::Diagrams(Kind::Dynamic);
    assert_eq!(runs(Engine::Bdd, Reduce::None, ""), []);
    // One exploration decides everything, whatever processes are named and treated fairly.
    assert_eq!(runs(Engine::Auto, Reduce::Auto, ""), []);
    assert_eq!(runs(Engine::Auto, Reduce::Auto, "fairness weak Pid;"), []);
    assert_eq!(
        runs(Engine::Bdd, dynamic, ""),
        [run("bdd", "dynamic", "S3(Pid)", "9"), run("bdd", "dynamic", "S2(Pid)", "21")]
    );
    assert_eq!(
        runs(Engine::Bdd, dynamic, "fairness weak Pid;"),
        [run("bdd", "dynamic", "S3(Pid)", "9"), run("bdd", "none", "trivial", "36")]
    );
}

/// A limit, or an error, leaves formulas open; it is not said that they cannot be decided.
#[test]
fn a_search_that_ends_early_decides_no_formula() {
    let text = token_mutex() + "invariant \"wrong\" exists p : Pid do loc[p] = NonCritical end;";
    for (engine, reduce) in WAYS {
        let options = Options { engine, reduce, ..Options::default() };
        let report = check(&Source::new("test.m", &text), &options).expect("a report");
        assert!(decided(&report).iter().all(|(_, verdict)| *verdict == Verdict::Unknown), "{reduce:?}");
        assert!(report.properties.iter().all(|property| property.reason.is_none()), "{reduce:?}");
    }
}

#[test]
fn a_condition_without_a_value_is_an_error() {
    let text = "type P : scalarset(3); var x : array [P] of 0..1; n : 0..2;
        startstate for p : P do x[p] := 0; end; n := 0; end;
        ruleset p : P do rule \"forget\" n < 2 ==> undefine x[p]; n := n + 1; end; end;
        ctl \"zero\" forall p : P do AG x[p] = 0 end;
        ctl \"fine\" AG EF n = 2;";
    for (engine, reduce) in WAYS {
        let report = checked_by(text, engine, reduce);
        let verdicts: Vec<_> = decided(&report).into_iter().map(|(_, verdict)| verdict).collect();
        assert_eq!(verdicts, [Verdict::Unknown, Verdict::Holds], "{reduce:?}");
        let errors = report.properties.iter().find(|p| p.kind == PropertyKind::NoFault).expect("it is there");
        assert_eq!(errors.verdict, Verdict::Violated, "{reduce:?}");
        assert_eq!(errors.violations[0].trace.steps.len(), 2, "{reduce:?}");
    }
}

#[test]
fn a_start_state_without_fair_runs_is_worth_a_warning() {
    let text = "var x : boolean; startstate x := false; end; rule \"r\" x ==> x := false; end;
        fairness \"never\" x; ctl \"anything\" AG x;";
    for (engine, reduce) in &WAYS[..2] {
        let report = checked_by(text, *engine, *reduce);
        assert_eq!(decided(&report)[0].1, Verdict::Holds);
        assert!(report.warnings.iter().any(|warning| warning.code == "W0205"), "{:?}", report.warnings);
    }
}

/// What is before a state depends on the start states: here they are not whole orbits.
#[test]
fn the_past_of_asymmetric_start_states() {
    let text = "type P : 0..2; var s : array [P] of boolean;
        startstate for p : P do s[p] := false; end; s[0] := true; end;
        ruleset p : P; q : P do rule s[p] & !s[q] ==> s[q] := true; end; end;
        ctl \"from zero\" AG !(EP (forall p : P do s[p] = (p = 1) end));
        ctl \"one\" exists p : P do AG s[p] end;
        ctl \"all\" forall p : P do AG s[p] end;
        ctl \"alone before\" forall p : P do EF (s[p] & EP (s[p] & forall q : P do q = p | !s[q] end)) end;";
    for (engine, reduce) in WAYS {
        let report = checked_by(text, engine, reduce);
        let verdicts: Vec<_> = decided(&report).into_iter().map(|(_, verdict)| verdict).collect();
        let (holds, violated) = (Verdict::Holds, Verdict::Violated);
        assert_eq!(verdicts, [holds, holds, violated, violated], "{reduce:?}");
        let all = report.properties.iter().find(|p| p.name == "all").expect("it is there");
        let said = &all.violations[0].message;
        assert!(said.contains("for p: 1") || said.contains("for p: 2"), "{said}");
    }
}

const RANGE: &str = "type P : 0..3; var s : array [P] of boolean;
    startstate for p : P do s[p] := false; end; end;
    ruleset p : P do rule s[p] = false ==> s[p] := true; end; end;
    invariant \"plain\" true;
    ctl \"all\" forall p : P do AG (s[p] -> AF s[p]) end;
    ctl \"none named\" AG EF (exists p : P do s[p] end);
    ctl \"one\" AG (s[1] -> AF s[1]);
    ltl \"one\" G s[2];";

#[test]
fn a_formula_that_names_an_element_breaks_the_symmetry_for_itself() {
    let blocks = |text: &str| -> Vec<Vec<Vec<i64>>> {
        let detection = detect(&read(text, &[]));
        detection.properties.iter().map(|blocks| blocks[0].clone()).collect()
    };
    let (whole, but) = (vec![vec![0, 1, 2, 3]], |one: i64| vec![(0..4).filter(|v| *v != one).collect()]);
    assert_eq!(blocks(RANGE), [whole.clone(), whole.clone(), whole.clone(), but(1), but(2)]);
    // A fairness constraint that names one concerns temporal properties only.
    let found = blocks(&format!("{RANGE} fairness \"f\" s[3];"));
    let pair = |a, b| vec![vec![a, b]];
    let left = |a: i64, b: i64| -> Vec<Vec<i64>> { vec![(0..4).filter(|v| *v != a && *v != b).collect()] };
    assert_eq!(found[..3], [whole.clone(), but(3), but(3)]);
    assert_eq!(found[3], left(1, 3));
    assert_eq!(found[4], pair(0, 1));
    assert_eq!(found[5], whole);
    // All of it is still explored, in groups of properties.
    let report = checked_by(&format!("{RANGE} fairness \"f\" s[3];"), Engine::Auto, Reduce::Auto);
    let verdict = |name: &str| report.properties.iter().find(|p| p.name == name).expect(name).verdict;
    assert_eq!(
        (verdict("plain"), verdict("all"), verdict("one")),
        (Verdict::Holds, Verdict::Holds, Verdict::Holds)
    );
    assert_eq!(report.properties[4].verdict, Verdict::Violated, "s[2] is false at first");
    let kinds: Vec<_> = report.properties.iter().map(|p| p.kind.name()).collect();
    assert_eq!(kinds, ["invariant", "ctl", "ctl", "ctl", "ltl", "error", "deadlock"]);
}

fn temporal(paths: Paths, op: UnaryOp, inner: Formula) -> Formula {
    Formula { span: inner.span, kind: FormulaKind::Unary(Some(paths), op, Box::new(inner)) }
}

/// A property of states, as CTL.
fn as_ctl(property: &Property) -> Option<Property> {
    let condition = property.condition.clone()?;
    let atom = Formula { span: property.span, kind: FormulaKind::Atom(condition) };
    let constant =
        |binder: &Binder| matches!(binder, Binder::Each(each) if matches!(each.range, LoopRange::Type(_)));
    if !property.binders.iter().all(constant) {
        return None;
    }
    let formula = match property.kind {
        PropertyKind::Invariant => temporal(Paths::All, UnaryOp::Globally, atom),
        PropertyKind::Liveness => {
            temporal(Paths::All, UnaryOp::Globally, temporal(Paths::Some, UnaryOp::Finally, atom))
        }
        // One instance suffices for a cover; here, all count.
        PropertyKind::Cover if property.binders.is_empty() => temporal(Paths::Some, UnaryOp::Finally, atom),
        _ => return None,
    };
    Some(Property { kind: PropertyKind::Ctl, condition: None, formula: Some(formula), ..property.clone() })
}

#[test]
fn random_models_mean_the_same_in_ctl() {
    let (mut compared, mut violated) = (0, 0);
    for seed in 0..150 {
        let model = random::model(seed, random::shape::Options { extensions: true });
        let stated = model.properties.len();
        let full = compare::unreduced(&model);
        let mut extended = model.clone();
        let mut origin = Vec::new();
        for (i, property) in model.properties.iter().enumerate() {
            if let Some(ctl) = as_ctl(property) {
                assert_eq!(
                    verify_property(&model, i).is_empty(),
                    {
                        let mut alone = model.clone();
                        alone.properties[i] = ctl.clone();
                        verify_property(&alone, i).is_empty()
                    },
                    "seed {seed}: symmetric as a formula, or not, as before"
                );
                extended.properties.push(ctl);
                origin.push(i);
            }
        }
        let text = printer::print(&extended);
        let extended = read(&text, &[]);
        assert_eq!(printer::print(&extended), text, "seed {seed}");
        let Some(concrete) = Concrete::explore(&extended, Semantics::default(), random::MAX_STATES) else {
            continue;
        };
        for (ctl, i) in extended.properties[stated..].iter().zip(origin) {
            let found = full.properties.iter().find(|p| p.index == Some(i)).expect("it is reported");
            // A fault in a condition is an error for itself.
            let Ok(verdict) = concrete.verdict(ctl) else { continue };
            if found.verdict() != Verdict::Unknown {
                assert_eq!(verdict, found.verdict(), "seed {seed}: {}\n{text}", ctl.name);
                compared += 1;
                violated += usize::from(verdict == Verdict::Violated);
            }
        }
    }
    assert!(compared > 100 && violated > 20, "{compared} compared, {violated} violated");
}

/// What the verifier says of formulas is so: a symmetric one holds in a state if and only if it does in its images.
#[test]
fn random_formulas_are_as_symmetric_as_verified() {
    let (mut compared, mut mixed) = (0, 0);
    for seed in 0..150 {
        let model = random::temporal::model(seed, Logic::Ctl, 300, 3);
        // Read back, a formula without temporal operators has become an atom.
        let written = model;
        let model = read(&printer::print(&written), &[]);
        let text = printer::print(&model);
        assert_eq!(printer::print(&read(&text, &[])), text, "seed {seed}");
        let refused: Vec<_> = verify(&model).into_iter().map(|refusal| refusal.domain).collect();
        let domains = (0..model.types.domains.len() as u32).map(DomainId);
        let action = Action::new(&model, &domains.filter(|d| !refused.contains(d)).collect::<Vec<_>>());
        let Some(concrete) = Concrete::explore(&model, Semantics::default(), 300) else { continue };
        let before = Concrete::explore(&written, Semantics::default(), 300).expect("the same states");
        assert_eq!(before.states, concrete.states, "seed {seed}");
        let number = |state: &[i64]| concrete.states.iter().position(|other| other == state);
        for (i, property) in model.properties.iter().enumerate().filter(|(_, p)| p.kind == PropertyKind::Ctl)
        {
            let formula = property.formula.as_ref().expect("a formula");
            assert!(formula.fits(Logic::Ctl));
            let Ok(holding) = concrete.satisfying(property) else { continue };
            if let Ok(other) = before.satisfying(&written.properties[i]) {
                assert_eq!(holding, other, "seed {seed}: read as written");
            }
            mixed +=
                usize::from((0..concrete.states.len()).any(|s| holding.contains(s) != holding.contains(0)));
            let verdict = concrete.verdict(property).expect("no fault") == Verdict::Holds;
            assert_eq!(verdict, concrete.graph.initial.iter().all(|s| holding.contains(*s)), "seed {seed}");
            let mut image = Vec::new();
            for permutation in action.generators() {
                let images: Vec<_> = (concrete.states.iter())
                    .map(|state| {
                        action.apply(&permutation, state, &mut image);
                        number(&image)
                    })
                    .collect();
                // Without all images, what is reached differs, and so does the past.
                if images.contains(&None) && formula.looks_back() {
                    continue;
                }
                for (state, image) in images.iter().enumerate() {
                    let Some(image) = image else { continue };
                    assert_eq!(holding.contains(state), holding.contains(*image), "seed {seed}\n{text}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5000 && mixed > 60, "{compared} compared, {mixed} that hold in some states only");
}

/// Linear and branching time agree where a formula says the same in both: below one universal operator.
#[test]
fn random_formulas_of_both_logics() {
    let mut compared = 0;
    for seed in 0..60 {
        let model = random::temporal::model(seed, Logic::Ltl, 60, 1);
        let Some(concrete) = Concrete::explore(&model, Semantics::default(), 60) else { continue };
        for property in model.properties.iter().filter(|p| p.kind == PropertyKind::Ltl) {
            let formula = property.formula.as_ref().expect("a formula");
            let Some(branching) = one_operator(formula) else { continue };
            let ctl = Property { kind: PropertyKind::Ctl, formula: Some(branching), ..property.clone() };
            if let (Ok(a), Ok(b)) = (concrete.verdict(property), concrete.verdict(&ctl)) {
                assert_eq!(a, b, "seed {seed}: {formula:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// `G f` as `AG f`, with no other temporal operator in `f`, and likewise; below `forall` and `&`. An atom alone is not the
/// same: where a start state has no fair run, it holds in linear time.
fn one_operator(formula: &Formula) -> Option<Formula> {
    let kind = match &formula.kind {
        FormulaKind::Quantified(Quantifier::Forall, each, f) => {
            FormulaKind::Quantified(Quantifier::Forall, each.clone(), Box::new(one_operator(f)?))
        }
        FormulaKind::Logic(LogicOp::And, f, g) => {
            FormulaKind::Logic(LogicOp::And, Box::new(one_operator(f)?), Box::new(one_operator(g)?))
        }
        FormulaKind::Unary(None, op, f) if !f.is_temporal() => {
            FormulaKind::Unary(Some(Paths::All), *op, f.clone())
        }
        FormulaKind::Binary(None, op, f, g) if !f.is_temporal() && !g.is_temporal() => {
            FormulaKind::Binary(Some(Paths::All), *op, f.clone(), g.clone())
        }
        _ => return None,
    };
    Some(Formula { kind, span: formula.span })
}

fn model_text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    std::fs::read_to_string(folder.join(name)).expect("the model")
}

/// What is found of each formula, with constants.
fn found(text: &str, reduce: Reduce, constants: &[(&str, &str)]) -> Report {
    let mut options = Options { reduce, ..Options::default() };
    options.constants = constants.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    options.limits.max_errors = 100;
    check(&Source::new("test.m", text), &options).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn verdict_of(report: &Report, name: &str) -> Verdict {
    let property = report.properties.iter().find(|property| property.name == name);
    property.unwrap_or_else(|| panic!("no {name}")).verdict
}

/// The models about liveness say in their headers what to expect of each formula.
#[test]
fn models_keep_their_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut promises = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a model");
        let lines: Vec<(&str, &str)> = (text.lines())
            .filter_map(|line| {
                line.strip_prefix("-- burnside-ltl: ").or(line.strip_prefix("-- burnside-ctl: "))
            })
            .filter_map(|line| line.split_once(' '))
            .collect();
        if lines.is_empty() {
            continue;
        }
        for reduce in [Reduce::Auto, Reduce::None] {
            let report = found(&text, reduce, &[]);
            for (verdict, name) in &lines {
                assert_eq!(
                    verdict_of(&report, name.trim_matches('"')).name(),
                    *verdict,
                    "{name}, {reduce:?}"
                );
                promises += 1;
            }
        }
    }
    assert!(promises >= 40, "{promises}");
}

/// A lasso that names a process: its trace, and the process.
fn lasso(report: &Report, name: &str) -> (usize, String) {
    let property = report.properties.iter().find(|property| property.name == name).expect("it is there");
    assert_eq!(property.verdict, Verdict::Violated, "{name}");
    let violation = &property.violations[0];
    let trace = &violation.trace;
    let back = trace.back.expect("a loop");
    assert_eq!(trace.steps[back].state, trace.steps[trace.steps.len() - 1].state);
    (trace.steps.len() - 1 - back, violation.message.clone())
}

#[test]
fn peterson_starves_nobody_if_the_scheduler_is_weakly_fair() {
    let text = model_text("peterson_live.m");
    let claims = ["whoever competes gets in", "whoever competes gets in, whatever happens"];
    let fair = found(&text, Reduce::Auto, &[("N", "5")]);
    assert!(fair.properties.iter().all(|property| property.verdict == Verdict::Holds));
    let edges = fair.edges.expect("a graph");
    assert!(edges.permutations > 10 && edges.count > 1000, "{edges:?}");
    let unfair = found(&text.replace("fairness weak Pid;", ""), Reduce::Auto, &[("N", "4")]);
    for claim in claims {
        let (length, message) = lasso(&unfair, claim);
        assert!(message.contains("does not hold for p: Pid_"), "{message}");
        // From where it competes on, every step says what it waits for.
        let property = unfair.properties.iter().find(|property| property.name == claim).expect("it is there");
        let reasons = &property.violations[0].trace.reasons;
        let awaited = |reasons: &Vec<String>| {
            reasons.iter().any(|reason| reason.contains("waiting for loc[p] = Critical"))
        };
        let since = reasons.iter().position(awaited).expect("it waits");
        assert_eq!(reasons[since][0], "here loc[p] = SetTurn");
        assert_eq!(reasons[since][1], "from here on waiting for loc[p] = Critical");
        assert!(reasons[since..].iter().all(awaited), "{reasons:?}");
        assert!(reasons.len() - since >= length);
    }
    assert_eq!(verdict_of(&unfair, "somebody gets in again and again"), Verdict::Holds);
    assert_eq!(verdict_of(&unfair, "everybody may get in"), Verdict::Holds);
}

/// Everything would be far too much: the violation is found near the start.
#[test]
fn a_violation_near_the_start_of_a_huge_model() {
    let text = model_text("peterson_live.m").replace("fairness weak Pid;", "");
    let text = text.split("ctl \"whoever").next().expect("formulas of LTL").to_owned();
    let constants = vec![("N".to_owned(), "8".to_owned())];
    let options = Options { constants, ..Options::default() };
    let found = check(&Source::new("test.m", &text), &options).expect("a report");
    assert_eq!(verdict_of(&found, "somebody gets in again and again"), Verdict::Unknown);
    assert!(lasso(&found, "whoever competes gets in").0 > 10);
    assert_eq!(found.limit, Some(burnside::Limit::MaxErrors));
}

/// Threads share the steps between them: what they find is the same.
#[test]
fn several_threads_decide_the_same() {
    let german = model_text("german_live.m").replace("strong fair", "fair");
    let live = model_text("peterson_live.m")
        + "ruleset p : Pid do liveness \"again\" loc[p] = Idle; end; liveness \"never\" forall p : Pid do level[p] > 0 end;";
    for (text, size) in [(german, "3"), (live, "5")] {
        let by = |threads: usize| {
            let threads = std::num::NonZero::new(threads).expect("some");
            let constants = vec![("N".to_owned(), size.to_owned())];
            let options = Options { threads, constants, ..Options::default() };
            let report = check(&Source::new("test.m", &text), &options).expect("a report");
            let verdicts: Vec<_> = report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect();
            (verdicts, report.edges.map(|edges| edges.count))
        };
        assert_eq!(by(1), by(3));
    }
}

#[test]
fn philosophers_eat_if_one_differs_and_the_scheduler_is_strongly_fair() {
    let text = model_text("dining_lefty.m");
    let eats = "everybody eats again and again";
    assert_eq!(verdict_of(&found(&text, Reduce::Auto, &[("N", "5")]), eats), Verdict::Holds);
    let weakly = found(&text.replace("strong Seat", "weak Seat"), Reduce::Auto, &[]);
    assert!(lasso(&weakly, eats).0 > 1);
    // All alike may be stuck for ever: a loop of one state.
    let alike = found(&text, Reduce::Auto, &[("Lefty", "0")]);
    let (_, message) = lasso(&alike, eats);
    assert!(message.contains("for i: Seat_"), "{message}");
}

#[test]
fn a_home_that_is_only_weakly_fair_overlooks_a_client() {
    let text = model_text("german_live.m");
    let weakly = found(&text.replace("strong fair", "fair"), Reduce::Auto, &[]);
    assert!(lasso(&weakly, "every request is granted").1.contains("for c: Client_"));
    assert_eq!(verdict_of(&weakly, "the home does not stall"), Verdict::Holds);
}

/// Who chooses identities without luck may choose the same ones for ever.
#[test]
fn an_election_may_go_on_for_ever() {
    let text = model_text("ring_election.m")
        + "ltl \"a leader at last\" F (exists i: Node do role[i] = Leader end);
           ctl \"a leader can be elected\" AG EF (exists i: Node do role[i] = Leader end);
           ctl \"everybody can\" forall i: Node do AG EF role[i] = Leader end;
           fairness strong Node;";
    for reduce in [Reduce::Auto, Reduce::None] {
        let report = found(&text, reduce, &[]);
        assert!(lasso(&report, "a leader at last").0 > 3);
        assert_eq!(verdict_of(&report, "everybody can"), Verdict::Holds);
    }
}

/// One orbit, one edge or two: what goes wrong without permutations, or with edges merged.
#[test]
fn traps_of_symmetry() {
    let pair = model_text("alternating_pair.m");
    let lazy = found(&pair, Reduce::Auto, &[("Lazy", "1")]);
    assert_eq!(lazy.states, 1);
    assert_eq!(
        lazy.edges.expect("a graph").count,
        2,
        "one that keeps the processes apart, and one that exchanges them"
    );
    assert!(lasso(&lazy, "everybody has the turn again and again").1.contains("for p: Pid_"));
    // Who knows can always tell: a fair scheduler makes him.
    let text = model_text("broadcast.m") + "fairness weak Pid;";
    for reduce in [Reduce::Auto, Reduce::None] {
        assert_eq!(verdict_of(&found(&text, reduce, &[]), "nobody knows for ever"), Verdict::Holds);
    }
}

/// The step before was taken by one of two who are alike since: looking back, it may have been either.
#[test]
fn who_was_it() {
    let text = "type P : scalarset(3); var on : array [P] of boolean; tok : P;
        ruleset o : P do startstate for p : P do on[p] := false; end; tok := o; end; end;
        ruleset p : P do
          rule \"on\" !on[p] ==> on[p] := true; end;
          rule \"off\" on[p] ==> on[p] := false; end;
        end;
        ctl \"any\" forall p : P do EY on[p] end;
        ctl \"any two\" forall p : P do forall q : P do EP (on[p] & !on[q]) | p = q end end;";
    for (engine, reduce) in [(Engine::Explicit, Reduce::Auto), (Engine::Explicit, Reduce::None)] {
        let report = checked_by(text, engine, reduce);
        assert_eq!(
            decided(&report).iter().map(|(_, v)| *v).collect::<Vec<_>>(),
            [Verdict::Holds; 2],
            "{reduce:?}"
        );
    }
}
