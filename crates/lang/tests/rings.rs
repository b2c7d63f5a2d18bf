//! Rings: what the words mean, and that they are no keywords.

use burnside_lang::murphi::{load, printer};
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{DomainKind, ExprKind, StmtKind};

fn good(text: &str) -> Model {
    let source = Source::new("rings.m", text);
    let (model, diagnostics) = load(&source, &[]);
    let shown: Vec<_> = diagnostics.iter().map(|d| d.render(&source, false)).collect();
    model.unwrap_or_else(|| panic!("{}", shown.join("\n")))
}

/// How far the assignments of the first rule lead.
fn distances(model: &Model) -> Vec<u32> {
    let distance = |stmt: &burnside_model::code::Stmt| match &stmt.kind {
        StmtKind::Assign(_, value) => match value.kind {
            ExprKind::Rotate(_, by) => Some(by),
            _ => None,
        },
        _ => None,
    };
    model.rules[0].body.iter().filter_map(distance).collect()
}

#[test]
fn distances_are_counted_round_the_ring() {
    let model = good(
        "const K : 7; type Node : ring(5); var at : Node;
         rule begin
           at := next(at); at := prev(at); at := at + 3; at := at - 3; at := at + K; at := at - (K - 1) * 2;
           at := at + -1; at := next(next(at) + 1) - 1; at := at + 5; at := at + 9223372036854775807;
         end;",
    );
    assert_eq!(model.types.domains[0].kind, DomainKind::Ring);
    assert_eq!(distances(&model), [1, 4, 3, 2, 2, 3, 4, 4, 0, 2]);
    let text = printer::print(&model);
    assert_eq!(printer::print(&good(&text)), text);
}

#[test]
fn a_ring_without_a_name_has_one() {
    let model = good("var a : array [ring(3)] of boolean;");
    assert_eq!(model.types.domains[0].name, "ring");
}

/// Models that use our words as names mean what they meant before.
#[test]
fn our_words_are_no_keywords() {
    good("type ring : 0..3; next : ring; var prev : next; rule begin prev := 1; end;");
    good("var ring : boolean; next, prev : 0..3; rule ring ==> begin next := prev + 1; end;");
    let model = good(
        "var x : 0..9;
         function next(i : 0..9) : 0..9; begin return i; end;
         function prev(i : 0..9; k : 0..9) : 0..9; begin return i - k; end;
         procedure ring(); begin x := 0; end;
         rule begin x := next(x); x := prev(x, 1); ring(); end;",
    );
    assert_eq!(distances(&model), [] as [u32; 0]);
    assert_eq!(model.functions.len(), 3);
    // A variable of the name does not get in the way of the neighbours.
    let model = good(
        "type T : ring(3); var next : array [T] of T; x : T;
         rule begin x := next(x); next[next(x)] := next[x]; end;",
    );
    assert_eq!(distances(&model), [1]);
}
