//! `symmetry T;`: claims that are true, partly true and wrong.

use burnside::{
    Choice, DeadlockMode, Detect, Engine, Failure, Limits, Options, Reduce, Report, Source, Under, Verdict,
    check, exit, symmetry,
};
use burnside_model::system::PropertyKind;

const LOCK: &str = r#"
type Proc : 0..3; Loc : enum { Idle, Critical };
symmetry Proc;
var loc : array [Proc] of Loc;
startstate for p : Proc do loc[p] := Idle; end; end;
ruleset p : Proc do
  rule "enter" loc[p] = Idle & forall q : Proc do loc[q] = Idle end ==> loc[p] := Critical; end;
  rule "leave" loc[p] = Critical ==> loc[p] := Idle; end;
end;
"#;

/// Only process 3 can go wrong, and only after process 0 was there: a wrong symmetry takes it for process 0.
const PRIORITY: &str = r#"
rule "seize" loc[0] = Critical ==> loc[3] := Critical; end;
invariant "not both" !(loc[0] = Critical & loc[3] = Critical);
"#;

const HARMLESS: &str = r#"
rule "seize" loc[0] = Critical ==> loc[0] := Idle; end;
invariant "one at a time"
  forall p : Proc do forall q : Proc do (loc[p] = Critical & loc[q] = Critical) -> p = q end end;
"#;

fn report(text: &str, options: Options) -> Report {
    check(&Source::new("claim.m", text), &options).expect("a correct model")
}

#[test]
fn a_true_claim_is_used_even_without_detection() {
    let found = report(LOCK, Options { detect: Detect::Off, ..Options::default() });
    assert_eq!((found.symmetry.structure.as_str(), found.symmetry.derived.as_str()), ("S4(Proc)", "claimed"));
    assert_eq!((found.verdict, found.states, found.full_states), (Verdict::Holds, 2, Some(5)));
    assert!(found.symmetry.verified && found.warnings.is_empty() && found.assumptions.is_empty());
}

#[test]
fn of_a_partly_true_claim_the_true_part_is_used() {
    let text = format!("{LOCK}{HARMLESS}");
    let whole =
        symmetry(&Source::new("claim.m", text.as_str()), &Options::default()).expect("a correct model");
    assert_eq!(whole.symmetry.structure, "S3(Proc{1..3})");
    let found = report(&text, Options::default());
    assert_eq!((found.reduction.as_str(), found.symmetry.structure.as_str()), ("adaptive", "S4(Proc)"));
    assert_eq!((found.verdict, found.full_states), (Verdict::Holds, Some(5)));
    assert!(found.warnings.iter().all(|warning| warning.code == "W0204") && !found.warnings.is_empty());
}

#[test]
fn a_trusted_claim_leaves_everything_unknown() {
    let options = || Options { trust_symmetry: true, ..Options::default() };
    let found = report(&format!("{LOCK}{HARMLESS}"), options());
    assert_eq!(found.symmetry.structure, "S4(Proc)");
    assert!(!found.symmetry.verified);
    assert!(found.properties.iter().all(|property| property.verdict == Verdict::Unknown));
    assert!(found.assumptions[0].contains("`Proc`"), "{:?}", found.assumptions);
    assert_eq!(exit::code(&Ok(found)), exit::UNKNOWN);

    let found = report(&format!("{LOCK}{PRIORITY}"), options());
    assert!(found.properties.iter().all(|property| property.verdict != Verdict::Holds));
}

#[test]
fn a_violation_found_by_trust_is_real() {
    let text = format!("{LOCK}{HARMLESS}invariant \"never\" forall p : Proc do loc[p] = Idle end;");
    let found = report(&text, Options { trust_symmetry: true, ..Options::default() });
    assert_eq!(found.verdict, Verdict::Violated);
    let never = found.properties.iter().find(|property| property.name == "never").expect("it is stated");
    assert_eq!(never.violations[0].trace.steps.len(), 2);
}

#[test]
fn trust_applies_to_scalarsets_as_well() {
    let text = r#"
        type Proc : scalarset(3);
        var owner : Proc; on : array [Proc] of boolean;
        startstate undefine owner; for p : Proc do on[p] := false; end; end;
        ruleset p : Proc do rule "flip" true ==> on[p] := !on[p]; end; end;
        rule "elect" true ==> for p : Proc do if on[p] then owner := p; end; end; end;
    "#;
    let found = report(text, Options { trust_symmetry: true, ..Options::default() });
    assert_eq!((found.verdict, found.symmetry.verified), (Verdict::Unknown, false));
    let found = report(text, Options::default());
    assert_eq!((found.verdict, found.reduction.as_str()), (Verdict::Holds, "adaptive"));
}

#[test]
fn a_claim_about_nothing_in_the_state_is_said_to_be_unused() {
    let text = "type T : 0..2; symmetry T; var x : boolean; startstate x := true; end; rule x := !x; end;";
    let found = report(text, Options::default());
    assert_eq!(found.symmetry.derived, "none");
    assert!(found.warnings[0].message.contains("not used"), "{:?}", found.warnings);
}

/// A quantifier over elements has the effects of all its instances: no trust makes that the same model.
#[test]
fn trust_does_not_change_what_a_model_means() {
    let text = r#"
        type T : 0..2;
        symmetry T;
        var a : array [T] of boolean; n : 0..3;
        function f(i : T) : boolean; begin n := n + 1; return a[i]; end;
        startstate for i : T do a[i] := true; end; n := 0; end;
        rule "go" n = 0 ==> if exists i : T do f(i) end then n := n; end; end;
        invariant "n is not 1" n != 1;
    "#;
    for trust_symmetry in [false, true] {
        let found = report(text, Options { trust_symmetry, ..Options::default() });
        assert_eq!(found.properties[0].verdict, Verdict::Violated);
    }
}

/// Properties about single processes have groups of their own, each explored to the bound.
#[test]
fn a_bound_is_that_of_every_exploration() {
    let text = r#"
        type P : 0..2;
        var a : array [P] of 0..9;
        startstate for i : P do a[i] := 0; end; end;
        ruleset i : P do rule "up" a[i] < 9 ==> a[i] := a[i] + 1; end; end;
        invariant "all" forall i : P do a[i] < 10 end;
        invariant "zero" a[0] = 0;
        cover "one" a[1] = 1;
    "#;
    let limits = Limits { bound: Some(3), max_errors: 50, ..Limits::default() };
    let found = report(text, Options { limits, deadlock: DeadlockMode::Off, ..Options::default() });
    let verdicts: Vec<_> =
        found.properties.iter().map(|p| (p.name.as_str(), p.kind.name(), p.verdict)).collect();
    assert!(verdicts.contains(&("all", "invariant", Verdict::Unknown)), "{verdicts:?}");
    assert!(verdicts.contains(&("zero", "invariant", Verdict::Violated)), "{verdicts:?}");
    assert!(verdicts.contains(&("one", "cover", Verdict::Holds)), "{verdicts:?}");
}

fn on_the_fly(trust_symmetry: bool) -> Options {
    Options { engine: Engine::Bdd, reduce: Reduce::OnTheFly, trust_symmetry, ..Options::default() }
}

const ARBITER: &str = include_str!("../../../models/murphi/arbiter.m");
const WRONG: &str = include_str!("../../../models/claims/arbiter_wrong.claims");

fn arbiter(faulty: bool, trust_symmetry: bool) -> Report {
    let source = Source::new("arbiter.m", ARBITER).with_claims("arbiter_wrong.claims", WRONG);
    let constants = vec![("Faulty".to_owned(), u8::from(faulty).to_string())];
    check(&source, &Options { constants, ..on_the_fly(trust_symmetry) }).expect("a correct model")
}

#[test]
fn a_wrong_generator_is_refuted_by_a_state_and_a_rule() {
    let found = arbiter(false, false);
    assert_eq!((found.verdict, found.symmetry.structure.as_str()), (Verdict::Holds, "S2"));
    assert!(found.symmetry.verified && found.assumptions.is_empty());
    let judged = found.symmetry.judged.iter().find(|judged| judged.claimed).expect("it is listed");
    assert_eq!((judged.name.as_str(), judged.verdict, judged.used), ("reads for writes", "refuted", false));
    let witness = judged.witness.as_ref().expect("a step");
    assert_eq!(witness.state.len(), witness.image.len());
    assert!(!witness.firing.rule.is_empty() && witness.state != witness.image);
    let text = burnside::report::text::render(&found, &Default::default());
    assert!(text.contains("generator \"reads for writes\" is refuted, and not used: rule "), "{text}");
    let json = burnside::report::json::render(&found).expect("it can be written");
    assert!(json.contains("\"verdict\": \"refuted\"") && json.contains("\"missing\": {"), "{json}");
}

#[test]
fn trusted_it_finds_violations_and_proves_nothing() {
    let found = arbiter(false, true);
    assert_eq!((found.verdict, found.symmetry.verified), (Verdict::Unknown, false));
    assert!(
        found.assumptions[0].contains("\"reads for writes\", which was refuted"),
        "{:?}",
        found.assumptions
    );
    assert_eq!(exit::code(&Ok(found)), exit::UNKNOWN);
    let found = arbiter(true, true);
    assert_eq!(found.verdict, Verdict::Violated);
    assert!(found.properties[0].violations[0].trace.steps.len() > 4);
}

/// What fails in the same states is the same, however it is written; and a product of generators may leave it as it is.
#[test]
fn each_property_keeps_what_leaves_it_as_it_is() {
    let text = format!("{LOCK}invariant \"first\" loc[1] = Critical -> loc[0] = Idle;\n");
    let found = report(&text, on_the_fly(false));
    assert_eq!(found.verdict, Verdict::Holds);
    let groups: Vec<_> = found.runs.iter().map(|run| (run.symmetry.as_str(), run.properties.len())).collect();
    assert_eq!(groups, [("S2 x S2", 1), ("S4", 2)], "{:?}", found.runs);
    assert_eq!(found.full_states, Some(5));
    // Of exchanges of neighbours, only a product exchanges 0 and 2.
    let found = report(&format!("{LOCK}cover \"one\" loc[1] = Critical;\n"), on_the_fly(false));
    assert_eq!((found.verdict, found.runs[0].symmetry.as_str()), (Verdict::Holds, "S3"));

    let text = format!("{LOCK}generator \"rest\" of Proc = (0 2 3);\ninvariant \"one\" loc[1] = Idle;\n");
    let found = report(&text.replace("symmetry Proc;", ""), on_the_fly(false));
    assert_eq!(found.properties[0].verdict, Verdict::Violated);

    let text = format!(
        "{LOCK}generator \"turn\" of Proc = (0 1 2 3);\ninvariant \"one\" !(loc[1] = Critical & loc[2] = Critical);\n"
    );
    let found = report(&text, on_the_fly(false));
    let turn = found.symmetry.judged.iter().find(|judged| judged.name == "turn").expect("it is listed");
    assert_eq!(turn.breaks[0].property, "one");
    assert_eq!(turn.breaks[0].atoms, ["loc[1] = Critical", "loc[2] = Critical"]);
}

#[test]
fn a_file_of_claims_has_nothing_else() {
    let source = Source::new("lock.m", LOCK)
        .with_claims("more.claims", "\nrule \"no\" true ==> loc[0] := Idle; end;\n");
    let Err(Failure::Input(diagnostics)) = check(&source, &Options::default()) else { panic!("it is read") };
    assert_eq!(diagnostics[0].code.0, "E0508");
    let place = source.location(diagnostics[0].primary.0.start);
    assert_eq!((place.file, place.line), ("more.claims", 2));
}

/// Every setting finds the same.
#[test]
fn hints_and_parts_of_frontiers_change_no_verdict() {
    let hints = "hint \"nobody\" forall p : Proc do loc[p] = Idle end; hint \"odd\" loc[1] = Critical;";
    for under in [None, Some(1), Some(5)] {
        for sigma_steps in [None, Some(0), Some(1)] {
            let mut options = on_the_fly(false);
            let choice = if under == Some(1) { Choice::Random } else { Choice::Heavy };
            options.diagrams.under = under.map(|nodes| Under { nodes, choice });
            options.diagrams.sigma_steps = sigma_steps;
            let found = report(&format!("{LOCK}{hints}"), options);
            assert_eq!((found.verdict, found.states), (Verdict::Holds, 5));
        }
    }
}

#[test]
fn sequences_are_safety_formulas() {
    let text = format!(
        "{LOCK}never \"back at once\" {{ loc[0] = Critical; loc[0] = Idle; loc[0] = Critical }}
         never \"two of them\" {{ loc[0] = Critical; loc[0] = Critical[*]; loc[1] = Critical }}
         never \"long\" {{ loc[0] = Critical[+]; loc[2] = Critical & loc[0] = Critical }}
         ltl \"some time\" F loc[0] = Critical;
         ltl \"each waits\" forall p : Proc do G (loc[p] = Critical -> X loc[p] = Idle) end;"
    );
    let found =
        report(&text, Options { limits: Limits { max_errors: 9, ..Limits::default() }, ..on_the_fly(false) });
    let verdicts: Vec<_> = found.properties.iter().take(5).map(|p| (p.name.as_str(), p.verdict)).collect();
    let expected = [
        ("back at once", Verdict::Violated),
        ("two of them", Verdict::Holds),
        ("long", Verdict::Holds),
        ("some time", Verdict::Unknown),
        ("each waits", Verdict::Holds),
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(found.properties[0].violations[0].trace.steps.len(), 4);
    let reason = found.properties[3].reason.as_deref().unwrap_or_default();
    assert!(reason.contains("syntactic safety fragment"), "{reason}");
}

/// The token moves to a place where it has not been, twice, and is then as it was, but elsewhere: that state is in the orbit of
/// the first. So representatives have no successors among them, but do not stay where they are.
#[test]
fn a_representative_without_successors_goes_on() {
    let text = r#"
        type Place : 0..3;
        var here, before : Place; moved : boolean;
        startstate here := 0; before := 0; moved := false; end;
        ruleset p : Place do
          rule "once" !moved & p != here ==> before := here; here := p; moved := true; end;
          rule "twice" moved & p != here & p != before ==> here := p; before := p; moved := false; end;
        end;
        ctl "again" AG AF !moved;
        ctl "and again" AG (moved -> AX !moved);
        ctl "not for ever" !EG !moved;
        ctl "never" AG !moved;
    "#;
    for trusted in [false, true] {
        let limits = Limits { max_errors: 9, ..Limits::default() };
        let found = report(text, Options { limits, ..on_the_fly(trusted) });
        let verdicts: Vec<_> = found.properties.iter().take(4).map(|property| property.verdict).collect();
        assert_eq!(verdicts, [Verdict::Holds, Verdict::Holds, Verdict::Holds, Verdict::Violated]);
        assert_eq!((found.states, found.symmetry.structure.as_str()), (4, "S4"));
    }
}

/// The relation between representatives and their orbits must have all of them: one that is made by some permutations only
/// lacks the state where a run goes on.
#[test]
fn all_of_an_orbit_is_represented() {
    for (first, places) in [(0, 3), (2, 3), (1, 3), (0, 4), (3, 4)] {
        let text = format!(
            r#"
            const Last : {places} - 1;
            type Place : 0..Last;
            var here, before : Place; moved : boolean;
            startstate here := {first}; before := {first}; moved := false; end;
            ruleset p : Place do
              rule "once" !moved & p != here ==> before := here; here := p; moved := true; end;
              rule "twice" moved & p != here & p != before ==> here := p; before := p; moved := false; end;
            end;
            ctl "back" AG (moved -> EX !moved);
            ctl "ever" AG EF !moved;
            ctl "stuck" EF (moved & AX moved);
        "#
        );
        let limits = Limits { max_errors: 9, ..Limits::default() };
        let found = report(&text, Options { limits, ..on_the_fly(false) });
        let verdicts: Vec<_> = found.properties.iter().take(3).map(|property| property.verdict).collect();
        assert_eq!(verdicts, [Verdict::Holds, Verdict::Holds, Verdict::Violated], "{first} of {places}");
        assert!(found.states < places * places);
    }
}

/// Where the relation would be large, formulas are decided on whole orbits.
#[test]
fn formulas_where_the_relation_would_be_large() {
    let model = include_str!("../../../models/murphi/futurebus.m");
    let goes_on = "ctl \"goes on\" AG (EX command = None | EX command != None);";
    let source = Source::new("futurebus.m", format!("{model}{goes_on}"));
    let constants = [("N", "4"), ("Eager", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let limits = Limits { max_errors: 9, ..Limits::default() };
    let options = Options { constants: constants.to_vec(), limits, ..on_the_fly(false) };
    let found = check(&source, &options).expect("a correct model");
    let formulas = found.properties.iter().filter(|property| property.kind == PropertyKind::Ctl);
    let verdicts: Vec<_> = formulas.map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Violated, Verdict::Holds]);
    assert_eq!(found.full_states, Some(14_661));
    assert!(found.states < 2_000);
}

/// Start states and steps are symmetric, and so is all that is found.
#[test]
fn formulas_where_whole_orbits_are_found() {
    let text = format!(
        "{LOCK}ctl \"again\" AG AF forall p : Proc do loc[p] = Idle end;\nctl \"ever\" AG EF loc[3] = Critical;\nctl \"never\" AG !(exists p : Proc do loc[p] = Critical end);\n"
    );
    for trusted in [false, true] {
        let limits = Limits { max_errors: 9, ..Limits::default() };
        let found = report(&text, Options { limits, ..on_the_fly(trusted) });
        let verdicts: Vec<_> = found.properties.iter().take(3).map(|p| p.verdict).collect();
        assert_eq!(verdicts, [Verdict::Holds, Verdict::Holds, Verdict::Violated]);
    }
}

/// All states are in one orbit, but for the property that names a place there are two: with the whole group, nothing would be
/// found beside the start state.
#[test]
fn the_group_is_that_of_the_property() {
    let text = r#"
        type Place : 0..3;
        var here : array [Place] of boolean;
        startstate for p : Place do here[p] := false; end; here[0] := true; end;
        ruleset p : Place; q : Place do
          rule "move" here[p] & !here[q] ==> here[p] := false; here[q] := true; end;
        end;
        invariant "not there" !here[1];
        ltl "nor ever" G !here[1];
        ctl "nor at all" AG !here[1];
    "#;
    let limits = Limits { max_errors: 9, ..Limits::default() };
    let found = report(text, Options { limits, ..on_the_fly(false) });
    let verdicts: Vec<_> = found.properties.iter().take(3).map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated; 3]);
    assert_eq!(found.properties[0].violations[0].trace.steps.len(), 2);
}

/// What cannot go on stays as it is, and that is seen.
#[test]
fn an_automaton_goes_on_at_the_end() {
    let text = "var x : 0..1; startstate x := 0; end; rule \"go\" x = 0 ==> x := 1; end;
        never \"twice\" { x = 1; x = 1 }
        ltl \"back\" G (x = 1 -> X x = 0);
        ltl \"stays\" G (x = 1 -> X x = 1);";
    let limits = Limits { max_errors: 9, ..Limits::default() };
    let options = Options { limits, deadlock: DeadlockMode::Off, ..on_the_fly(false) };
    let verdicts: Vec<_> = report(text, options).properties.iter().take(3).map(|p| p.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated, Verdict::Violated, Verdict::Holds]);
}
