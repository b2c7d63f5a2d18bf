//! What the small-model argument does not cover is refused, and what it covers is counted.

use burnside_lang::murphi::load;
use burnside_lang::murphi::shape::parameters;
use burnside_lang::source::Source;
use burnside_model::code::DomainId;
use burnside_sat::clause::{Clause, Family, Literal, Schema};
use burnside_sat::fragment::{Summary, analyse};

const HEAD: &str = "
const N: 3;
type P: scalarset(N);
  Msg: record full: boolean; from: P; end;
var a: array [P] of boolean; e: array [P] of array [P] of boolean; ptr: array [P] of P; q: array [P] of P;
  msg: array [P] of Msg; g: P; n: 0..3; b: boolean;
startstate for p: P do a[p] := false; ptr[p] := p; q[p] := p; msg[p].full := false; undefine msg[p].from;
  for r: P do e[p][r] := false; end; end; undefine g; n := 0; b := false; end;
";

fn analysed(rules: &str) -> Result<Summary, Vec<String>> {
    let source = Source::new("test.m", format!("{HEAD}{rules}"));
    let (model, diagnostics) = load(&source, &[]);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    analyse(&model, &[DomainId(0)]).map_err(|all| all.into_iter().map(|outside| outside.reason).collect())
}

#[test]
fn what_breaks_the_argument_is_refused() {
    let outside = [
        ("forall exists", "rule forall p: P do exists r: P do e[p][r] end end ==> b := true; end;"),
        ("not exists not", "rule !exists p: P do forall r: P do e[p][r] end end ==> b := true; end;"),
        ("a counting loop", "rule b ==> for p: P do if a[p] & n < 3 then n := n + 1; end; end; end;"),
        ("the last one wins", "rule b ==> for p: P do if a[p] then g := p; end; end; end;"),
        ("found one", "rule b ==> for p: P do if a[p] then b := false; end; end; end;"),
        ("followed in a loop", "rule b ==> for p: P do a[p] := a[ptr[p]]; end; end;"),
        ("followed in a quantifier", "rule forall p: P do a[ptr[p]] end ==> b := true; end;"),
        ("two ids compared", "ruleset p: P do rule ptr[p] = q[p] ==> b := true; end; end;"),
        ("exists in a loop", "rule b ==> for p: P do a[p] := exists r: P do e[p][r] end; end; end;"),
        ("followed for ever", "ruleset p: P do rule b ==> while a[g] do g := ptr[g]; end; end; end;"),
        (
            "return out of a loop",
            "function f(): boolean; begin for p: P do if a[p] then return true; end; end; return false; end;
             rule f() ==> b := true; end;",
        ),
    ];
    for (what, rules) in outside {
        assert!(analysed(rules).is_err(), "{what}: {:?}", analysed(rules));
    }
}

#[test]
fn elements_are_counted() {
    // Globals, parameters, witnesses, loops of the rule.
    let inside = [
        ("rule b ==> b := false; end;", (1, 0, 0, 0)),
        ("ruleset p: P; r: P do rule e[p][r] ==> e[p][r] := false; end; end;", (1, 2, 0, 0)),
        ("rule exists p: P do a[p] end ==> b := true; end;", (1, 0, 1, 1)),
        ("rule forall p: P do a[p] end ==> b := true; end;", (1, 0, 0, 1)),
        ("rule exists p: P do forall r: P do e[p][r] end end ==> b := true; end;", (1, 0, 1, 2)),
        ("rule b ==> if forall p: P do a[p] end then b := false; end; end;", (1, 0, 1, 1)),
        ("rule b ==> for p: P do a[p] := e[p][p]; end; end;", (1, 0, 0, 1)),
        ("ruleset p: P do rule b ==> a[ptr[p]] := true; end; end;", (1, 1, 1, 0)),
        ("ruleset p: P do rule ptr[p] = p ==> ptr[p] := q[p]; end; end;", (1, 1, 0, 0)),
        ("ruleset p: P do rule b ==> g := msg[p].from; end; end;", (1, 1, 1, 0)),
    ];
    for (rules, (globals, parameters, witnesses, loops)) in inside {
        let summary = analysed(rules).unwrap_or_else(|why| panic!("{rules}: {why:?}"));
        let rule = summary.bodies.last().expect("a rule");
        assert_eq!(summary.globals[0], globals, "{rules}");
        assert_eq!(
            (rule.parameters[0], rule.witnesses[0], rule.loops[0]),
            (parameters, witnesses, loops),
            "{rules}"
        );
    }
}

#[test]
fn the_bound_has_all_summands() {
    let summary = analysed("ruleset p: P do rule exists r: P do e[p][r] end ==> b := true; end; end;");
    let summary = summary.expect("it is inside");
    // One global, one parameter, one witness, two elements of a clause.
    assert_eq!(summary.bound(&[2]), [5]);
    assert_eq!(summary.bound(&[0]), [4]);
}

#[test]
fn a_size_that_is_used_otherwise_is_no_parameter() {
    let foreign = |text: &str| parameters(&Source::new("test.m", text))[0].foreign.len();
    assert_eq!(foreign("const N: 3; type P: scalarset(N); var x: array [P] of boolean;"), 0);
    assert_eq!(foreign("const N: 3; type P: scalarset(N); var x: 0..N;"), 1);
    assert_eq!(foreign("const N: 3; M: N + 1; type P: scalarset(N); var x: 0..M;"), 1);
    assert_eq!(foreign("const N: 3; type P: scalarset(N); var x: 0..2; rule N > 100 ==> x := 0; end;"), 1);
}

#[test]
fn witnesses_of_assumed_invariants_are_counted() {
    let assumed = |invariant: &str| {
        let summary = analysed(&format!("rule b ==> b := false; end; {invariant}")).expect("inside");
        summary.bodies.last().expect("the invariant").assumed.as_ref().map(|witnesses| witnesses[0])
    };
    assert_eq!(assumed("invariant forall p: P do a[p] end;"), Some(0));
    assert_eq!(assumed("invariant exists p: P do a[p] end;"), Some(1));
    assert_eq!(assumed("invariant exists p: P do a[p] end & exists p: P do !a[p] end;"), Some(2));
    assert_eq!(assumed("invariant forall p: P do a[p] end & exists p: P do a[p] end;"), Some(1));
    assert_eq!(assumed("invariant forall p: P do exists r: P do e[p][r] end end;"), None);
    assert_eq!(assumed("ruleset p: P do invariant exists r: P do e[p][r] end; end;"), None);
}

/// "g is not x, or some other element has a." With `g` undefined, each x needs an element of its own.
#[test]
fn a_clause_is_pinned_by_a_variable_that_is_always_an_element() {
    let family = |domains: Vec<usize>, plain: &[&str], ids| Family {
        pieces: vec![],
        domains,
        plain: plain.iter().map(|value| (*value).to_owned()).collect(),
        ids,
        undefined: true,
    };
    let mut schema = Schema::new(vec![DomainId(0)]);
    schema.families = vec![
        family(vec![], &["Undefined"], true),
        family(vec![0], &["true", "false"], false),
        family(vec![0], &["Undefined"], true),
    ];
    let clause = |holder: usize, indices: &[usize], undefined: bool| {
        let plain = if undefined { ["Undefined".to_owned()].into() } else { Default::default() };
        let pin =
            Literal { family: holder, indices: indices.to_vec(), plain, named: [0].into(), others: true };
        let some = Literal {
            family: 1,
            indices: vec![1],
            plain: ["true".to_owned()].into(),
            named: Default::default(),
            others: false,
        };
        Clause { variables: vec![0], some: Some(0), literals: vec![pin, some] }
    };
    assert!(clause(0, &[], true).is_pinned(&schema));
    assert!(!clause(0, &[], false).is_pinned(&schema), "it says nothing of an undefined g");
    assert!(!clause(2, &[0], true).is_pinned(&schema), "an array has a value per element");
}
