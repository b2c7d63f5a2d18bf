//! `symmetry T;`: claims that are true, partly true and wrong.

use burnside::{DeadlockMode, Detect, Limits, Options, Report, Source, Verdict, check, exit, symmetry};

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
    let limits = Limits { bound: Some(3), max_errors: 5, ..Limits::default() };
    let found = report(text, Options { limits, deadlock: DeadlockMode::Off, ..Options::default() });
    let verdicts: Vec<_> =
        found.properties.iter().map(|p| (p.name.as_str(), p.kind.name(), p.verdict)).collect();
    assert!(verdicts.contains(&("all", "invariant", Verdict::Unknown)), "{verdicts:?}");
    assert!(verdicts.contains(&("zero", "invariant", Verdict::Violated)), "{verdicts:?}");
    assert!(verdicts.contains(&("one", "cover", Verdict::Holds)), "{verdicts:?}");
}
