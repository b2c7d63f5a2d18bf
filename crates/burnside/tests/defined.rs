//! A loop that returns early is symmetric if no iteration can fail: if what it reads always has a value.

use burnside::{Options, Source, Verdict, check};

fn model(start: &str, rule: &str) -> String {
    format!(
        r#"
        type Proc : scalarset(3); Loc : enum {{ Idle, Busy }};
        var a : array [Proc] of Loc; b : array [Proc] of record loc : Loc; old : Loc; end;
        function any() : boolean;
        begin
          for p : Proc do
            if a[p] = Busy | b[p].loc = Busy then return true; end;
          end;
          return false;
        end;
        startstate for p : Proc do a[p] := Idle; b[p].loc := Idle; {start} end; end;
        ruleset p : Proc do
          rule "busy" !any() ==> a[p] := Busy; b[p].loc := a[p]; end;
          rule "idle" any() ==> clear a; for q : Proc do b[q].loc := Idle; end; end;
          {rule}
        end;
        "#
    )
}

/// Whether the symmetry is used, and the verdict is that of the full search.
fn symmetric(start: &str, rule: &str) -> bool {
    let source = Source::new("defined.m", model(start, rule));
    let report = check(&source, &Options::default()).expect("a correct model");
    let full = check(&source, &Options { reduce: burnside::Reduce::None, ..Options::default() });
    assert_eq!(report.verdict, full.expect("a correct model").verdict);
    report.reduction == "canonical"
}

#[test]
fn what_always_has_a_value_cannot_fail() {
    assert!(symmetric("", ""));
    assert!(symmetric("b[p].old := Idle;", r#"rule "copy" true ==> b[p].loc := b[p].old; end;"#));
    assert!(symmetric("", r#"rule "undefine" true ==> undefine b[p].old; end;"#));
}

#[test]
fn what_may_lose_its_value_may() {
    // Not set at the start, undefined later, or copied from something that may be.
    assert!(!symmetric("", r#"rule "copy" true ==> b[p].loc := b[p].old; end;"#));
    assert!(!symmetric("undefine a[p];", ""));
    assert!(!symmetric("", r#"rule "undefine" true ==> undefine b[p]; end;"#));
    assert!(!symmetric("", r#"rule "alias" true ==> alias x : b[p] do undefine x.loc; end; end;"#));
    assert!(!symmetric("", r#"rule "alias" true ==> alias x : b[p] do undefine x; end; end;"#));
    assert!(!symmetric(
        "b[p].old := Idle;",
        r#"rule "chain" true ==> b[p].loc := b[p].old; undefine b[p].old; end;"#
    ));
    assert!(!symmetric("", r#"rule "local" true ==> var x : Loc; begin a[p] := x; end;"#));
}

#[test]
fn a_range_is_as_good() {
    let text = model("", "").replace("scalarset(3)", "0..2");
    let report = check(&Source::new("defined.m", text), &Options::default()).expect("a correct model");
    assert_eq!((report.symmetry.structure.as_str(), report.verdict), ("S3(Proc)", Verdict::Holds));
}
