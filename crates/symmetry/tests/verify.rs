//! Which scalarsets are accepted as symmetries and which are refused, one model per case.
//!
//! Every model has the same types, variables and locals ([`lab`]); a case is what its one rule does, most often inside
//! `for p : Proc do … end`.

#[path = "verify/loops.rs"]
mod loops;

use burnside_model::code::*;
use burnside_model::system::{Binder, Property, PropertyKind, Rule};
use burnside_model::{Model, Span};
use burnside_symmetry::verify::{Refusal, verify};

const PROC: TypeId = TypeId(2);
const SMALL: TypeId = TypeId(3);
const RECORD: TypeId = TypeId(4);
const SIGNED: TypeId = TypeId(9);
const NONE: TypeId = TypeId(10);
const UNION: TypeId = TypeId(11);
const OTHER_UNION: TypeId = TypeId(12);

/// The locals of every body: the rule's parameter, three loop variables, temporaries, an alias, a slot.
const I: LocalId = LocalId(0);
const P: LocalId = LocalId(1);
const Q: LocalId = LocalId(2);
const T: LocalId = LocalId(3);
const REC: LocalId = LocalId(4);
const ALIAS: LocalId = LocalId(5);
const SLOT: LocalId = LocalId(6);
const U: LocalId = LocalId(7);
const OTHER_SLOT: LocalId = LocalId(8);

fn frame() -> Frame {
    let mut frame = Frame::default();
    let value = Storage::Value;
    for (name, ty, cells, storage) in [
        ("i", PROC, 1, value),
        ("p", PROC, 1, value),
        ("q", PROC, 1, value),
        ("t", SMALL, 1, value),
        ("rec", RECORD, 2, value),
        ("line", RECORD, 1, Storage::Reference),
        ("slot", Types::INT, 1, value),
        ("u", UNION, 1, value),
        ("other", Types::INT, 1, value),
    ] {
        frame.add(name, ty, cells, storage);
    }
    frame
}

/// A model without rules.
fn lab() -> Model {
    let mut model = Model::default();
    let domain = Domain { name: "Proc".into(), kind: DomainKind::Full, size: 3, span: Span::default() };
    model.types.domains.push(domain);
    let field = |name: &str, ty| Field { name: name.into(), ty, offset: 0 };
    let array = |index, element| TypeKind::Array { index, element };
    for (at, kind) in [
        (PROC, TypeKind::Scalarset(DomainId(0))),
        (SMALL, TypeKind::Range(0, 2)),
        (RECORD, TypeKind::Record(vec![field("f", SMALL), field("g", PROC)])),
        (TypeId(5), array(PROC, SMALL)),
        (TypeId(6), array(PROC, RECORD)),
        (TypeId(7), array(PROC, TypeId(5))),
        (TypeId(8), TypeKind::Multiset { capacity: 4, element: PROC }),
        (SIGNED, TypeKind::Range(-2, 2)),
        (NONE, TypeKind::Enum(vec!["none".into()])),
        (UNION, TypeKind::Union(vec![PROC, NONE])),
        (OTHER_UNION, TypeKind::Union(vec![NONE, PROC])),
        (TypeId(13), array(SMALL, Types::BOOL)),
        (TypeId(14), array(SMALL, TypeId(8))),
        (TypeId(15), array(UNION, SMALL)),
        (TypeId(16), array(PROC, SIGNED)),
    ] {
        assert_eq!(model.types.add(None, kind), Some(at));
    }
    for (name, ty) in [
        ("A", TypeId(5)),
        ("R", TypeId(6)),
        ("C", TypeId(7)),
        ("x", SMALL),
        ("y", Types::BOOL),
        ("owner", PROC),
        ("M", TypeId(8)),
        ("z", SIGNED),
        ("u", UNION),
        ("v", OTHER_UNION),
        ("seen", TypeId(13)),
        ("nets", TypeId(14)),
        ("B", TypeId(15)),
        ("signed", TypeId(16)),
    ] {
        model.add_global(name, ty, Span::default());
    }
    model
}

fn global(model: &Model, name: &str) -> Place {
    let at = model.globals.iter().position(|global| global.name == name).expect("a global of the lab");
    let kind = PlaceKind::Global(GlobalId(at as u32));
    Place { kind, ty: model.globals[at].ty, span: Span::default() }
}

fn g(name: &str) -> Place {
    global(&lab(), name)
}

fn l(local: LocalId) -> Place {
    Place { kind: PlaceKind::Local(local), ty: frame()[local].ty, span: Span::default() }
}

fn at(base: Place, index: Expr) -> Place {
    let ty = match lab().types[base.ty].kind {
        TypeKind::Array { element, .. } => element,
        _ => base.ty,
    };
    Place { kind: PlaceKind::Index(Box::new(base), Box::new(index)), ty, span: Span::default() }
}

fn f(base: Place) -> Place {
    Place { kind: PlaceKind::Field(Box::new(base), 0), ty: SMALL, span: Span::default() }
}

fn id(base: Place) -> Place {
    Place { kind: PlaceKind::Field(Box::new(base), 1), ty: PROC, span: Span::default() }
}

fn slot(set: Place, slot: LocalId) -> Place {
    let kind = PlaceKind::Slot(Box::new(set), Box::new(rd(l(slot))));
    Place { kind, ty: PROC, span: Span::default() }
}

fn e(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

fn rd(place: Place) -> Expr {
    let ty = place.ty;
    e(ExprKind::Read(place), ty)
}

fn n(value: i64) -> Expr {
    e(ExprKind::Const(value), SMALL)
}

fn truth() -> Expr {
    e(ExprKind::Const(1), Types::BOOL)
}

fn eq(a: Expr, b: Expr) -> Expr {
    e(ExprKind::Eq(Box::new(a), Box::new(b)), Types::BOOL)
}

fn add(a: Expr, b: Expr) -> Expr {
    e(ExprKind::Arith(ArithOp::Add, Box::new(a), Box::new(b)), Types::INT)
}

fn or(a: Expr, b: Expr) -> Expr {
    e(ExprKind::Logic(LogicOp::Or, Box::new(a), Box::new(b)), Types::BOOL)
}

fn undefined(place: Place) -> Expr {
    e(ExprKind::IsUndefined(place), Types::BOOL)
}

/// `A[p]` and `R[p].f`, where `p` is any local.
fn a(p: LocalId) -> Place {
    at(g("A"), rd(l(p)))
}

fn r(p: LocalId) -> Place {
    at(g("R"), rd(l(p)))
}

fn s(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn set(target: Place, value: Expr) -> Stmt {
    s(StmtKind::Assign(target, value))
}

fn when(condition: Expr, then: Block) -> Stmt {
    s(StmtKind::If(vec![(condition, then)], Vec::new()))
}

fn each(local: LocalId, ty: TypeId, body: Block) -> Stmt {
    let each = Loop { local, range: LoopRange::Type(ty), span: Span::default() };
    s(StmtKind::For(Box::new(each), body))
}

fn ret(value: Expr) -> Stmt {
    s(StmtKind::Return(Some(Operand::Value(value))))
}

fn alias(target: Place, body: Block) -> Stmt {
    s(StmtKind::Alias(ALIAS, Operand::Place(target), body))
}

fn call(function: u32, args: Vec<Arg>) -> Call {
    Call { function, args, span: Span::default() }
}

fn rule(binders: Vec<Binder>, body: Block) -> Rule {
    let name = "rule".to_owned();
    Rule {
        name,
        named: true,
        binders,
        frame: frame(),
        guard: None,
        body,
        fairness: None,
        span: Span::default(),
    }
}

fn ruleset() -> Vec<Binder> {
    vec![Binder::Each(Loop { local: I, range: LoopRange::Type(PROC), span: Span::default() })]
}

/// A function or procedure with the parameters of `params`, then the locals of every body.
fn function(params: &[(TypeId, Storage)], result: Option<TypeId>, body: Block) -> Function {
    let mut frame = Frame::default();
    for (ty, storage) in params {
        frame.add("parameter", *ty, 1, *storage);
    }
    frame.add("local", SMALL, 1, Storage::Value);
    let by_reference = params.iter().map(|(_, storage)| *storage == Storage::Reference).collect();
    Function {
        name: "f".into(),
        params: params.len() as u32,
        by_reference,
        result,
        frame,
        body,
        span: Span::default(),
    }
}

fn of(local: u32, ty: TypeId) -> Place {
    Place { kind: PlaceKind::Local(LocalId(local)), ty, span: Span::default() }
}

/// What is refused of a rule with this body.
fn refusals(functions: Vec<Function>, body: Block) -> Vec<Refusal> {
    let mut model = lab();
    model.functions = functions;
    model.rules.push(rule(ruleset(), body));
    verify(&model)
}

fn in_loop(body: Block) -> Block {
    vec![each(P, PROC, body)]
}

#[track_caller]
fn accepted(body: Block) {
    assert_eq!(refusals(Vec::new(), body), []);
}

#[track_caller]
fn refused(body: Block, because: &str) {
    let found = refusals(Vec::new(), body);
    assert!(found.iter().any(|r| r.reason.contains(because)), "{found:?}");
    assert!(found.iter().all(|r| r.domain == DomainId(0) && r.reason.ends_with("of `Proc`")));
}

// Places indexed by the loop's variable.

#[test]
fn own_elements_may_be_read_and_written() {
    accepted(in_loop(vec![set(a(P), rd(f(r(P)))), set(f(r(P)), rd(a(P))), set(id(r(P)), rd(l(P)))]));
}

#[test]
fn another_element_may_not_be_read() {
    refused(in_loop(vec![set(a(P), rd(a(I)))]), "writes `A[p]` and another may read it as `A[i]`");
}

#[test]
fn another_element_may_not_be_written() {
    refused(in_loop(vec![set(a(P), n(0)), set(a(I), n(1))]), "in different ways");
}

#[test]
fn other_fields_do_not_overlap() {
    accepted(in_loop(vec![set(f(r(P)), n(1)), when(eq(rd(id(r(I))), rd(l(P))), vec![])]));
}

#[test]
fn whole_variables_overlap_their_elements() {
    refused(in_loop(vec![set(a(P), n(0)), s(StmtKind::Undefine(g("A")))]), "in different ways");
}

#[test]
fn nested_loops_over_two_indices() {
    let cell = |i, j| at(at(g("C"), rd(l(i))), rd(l(j)));
    let body = vec![set(cell(P, Q), rd(a(P))), when(eq(rd(cell(P, Q)), n(0)), vec![])];
    accepted(in_loop(vec![each(Q, PROC, body)]));
}

#[test]
fn transposed_accesses() {
    let cell = |i, j| at(at(g("C"), rd(l(i))), rd(l(j)));
    refused(in_loop(vec![each(Q, PROC, vec![set(cell(P, Q), rd(cell(Q, P)))])]), "may read it as `C[q][p]`");
    let writes = vec![set(cell(P, Q), n(0)), set(cell(Q, P), n(1))];
    refused(in_loop(vec![each(Q, PROC, writes)]), "in different ways");
}

#[test]
fn aliases_lead_to_their_places() {
    let line = || l(ALIAS);
    let body = vec![
        s(StmtKind::Switch(rd(f(line())), vec![(vec![n(0)], vec![s(StmtKind::Undefine(line()))])], vec![])),
        set(f(line()), n(0)),
    ];
    accepted(in_loop(vec![alias(r(P), body.clone())]));
    let mut body = body;
    body.push(set(f(line()), rd(a(P))));
    refused(in_loop(vec![alias(r(I), body.clone())]), "");
    refused(vec![alias(r(I), in_loop(vec![set(f(line()), rd(f(r(P))))]))], "may read it as `R[p].f`");
}

#[test]
fn locals_carry_the_loops_variable() {
    let through = |value| vec![set(l(Q), value), set(a(Q), rd(f(r(P))))];
    accepted(in_loop(through(rd(l(P)))));
    refused(in_loop(through(rd(g("owner")))), "");
}

#[test]
fn converted_variables_are_as_good() {
    let cell = |p| at(g("B"), e(ExprKind::Convert(Box::new(rd(l(p)))), UNION));
    accepted(in_loop(vec![set(cell(P), rd(a(P)))]));
    refused(in_loop(vec![set(cell(P), rd(cell(I)))]), "may read it");
}

// Calls.

#[test]
fn procedures_are_followed() {
    // procedure f(var z: Small; p: Proc); begin z := A[p]; end;
    let assign = set(of(0, SMALL), rd(at(g("A"), rd(of(1, PROC)))));
    let f0 = function(&[(SMALL, Storage::Reference), (PROC, Storage::Value)], None, vec![assign]);
    let to = |target, p| {
        let args = vec![Arg::Reference(target), Arg::Value(rd(l(p)))];
        in_loop(vec![s(StmtKind::Call(call(0, args)))])
    };
    assert_eq!(refusals(vec![f0.clone()], to(f(r(P)), P)), []);
    assert_eq!(refusals(vec![f0.clone()], to(a(P), P)), []);
    assert_eq!(refusals(vec![f0.clone()], to(a(P), I)).len(), 1);
    assert_eq!(refusals(vec![f0], to(g("x"), P)).len(), 1);
}

#[test]
fn a_callees_locals_are_its_own() {
    let body = |value| vec![set(of(1, SMALL), value), set(at(g("A"), rd(of(0, PROC))), rd(of(1, SMALL)))];
    let f0 = function(&[(PROC, Storage::Value)], None, body(rd(at(g("A"), rd(of(0, PROC))))));
    let run = in_loop(vec![s(StmtKind::Call(call(0, vec![Arg::Value(rd(l(P)))])))]);
    assert_eq!(refusals(vec![f0], run.clone()), []);
    let f0 = function(&[(PROC, Storage::Value)], None, body(rd(at(g("A"), rd(g("owner"))))));
    assert_eq!(refusals(vec![f0], run).len(), 1);
}

#[test]
fn an_early_return_of_a_callee_is_no_end_of_the_loop() {
    // procedure f(var z: Proc; p: Proc); begin if x = 0 then z := owner; return; end; z := p; end;
    let leave = vec![set(of(0, PROC), rd(g("owner"))), s(StmtKind::Return(None))];
    let body = vec![when(eq(rd(g("x")), n(0)), leave), set(of(0, PROC), rd(of(1, PROC)))];
    let f0 = function(&[(PROC, Storage::Reference), (PROC, Storage::Value)], None, body);
    let bind = s(StmtKind::Call(call(0, vec![Arg::Reference(l(Q)), Arg::Value(rd(l(P)))])));
    // `q` may be `owner` now, so `A[q]` is not always an own element.
    let found = refusals(vec![f0.clone()], in_loop(vec![bind.clone(), set(a(Q), rd(f(r(Q))))]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(refusals(vec![f0], in_loop(vec![bind, set(a(P), rd(f(r(Q))))])), []);
}

#[test]
fn recursion_is_refused_only_in_loops() {
    let again = s(StmtKind::Call(call(0, vec![Arg::Value(rd(of(0, PROC)))])));
    let f0 = function(&[(PROC, Storage::Value)], None, vec![again]);
    let run = s(StmtKind::Call(call(0, vec![Arg::Value(rd(l(I)))])));
    assert_eq!(refusals(vec![f0.clone()], vec![run.clone()]), []);
    assert!(refusals(vec![f0], in_loop(vec![run]))[0].reason.contains("recursive"));
}

#[test]
fn loops_in_functions_know_where_references_lead() {
    // procedure f(var net: array [Proc] of Small; z: Small); for p : Proc do net[p] := z; end;
    let target = at(of(0, TypeId(5)), rd(of(2, PROC)));
    let body = vec![each(LocalId(2), PROC, vec![set(target, rd(of(1, SMALL)))])];
    let mut f0 = function(&[(TypeId(5), Storage::Reference), (SMALL, Storage::Reference)], None, body);
    f0.frame.locals[2].ty = PROC;
    let run = |z| vec![s(StmtKind::Call(call(0, vec![Arg::Reference(g("A")), Arg::Reference(z)])))];
    assert_eq!(refusals(vec![f0.clone()], run(g("x"))), []);
    assert_eq!(refusals(vec![f0.clone()], run(a(I))).len(), 1);
    assert_eq!(refusals(vec![f0], Vec::new()), [], "a function that is not called is not checked");
}

// The same value everywhere.

#[test]
fn one_constant_may_be_written_by_all() {
    accepted(in_loop(vec![when(eq(rd(a(P)), n(0)), vec![set(g("y"), truth())])]));
    accepted(in_loop(vec![s(StmtKind::Undefine(g("R")))]));
    accepted(in_loop(vec![set(at(g("seen"), rd(a(P))), truth())]));
}

#[test]
fn different_constants_may_not() {
    refused(in_loop(vec![when(eq(rd(a(P)), n(0)), vec![set(g("x"), n(1))]), set(g("x"), n(2))]), "different");
}

#[test]
fn a_constant_that_is_also_read_is_refused() {
    let body = vec![when(eq(rd(g("x")), n(0)), vec![set(a(P), n(1))]), set(g("x"), n(1))];
    refused(in_loop(body), "another reads it");
}

#[test]
fn an_invariant_value_may_be_written_by_all() {
    accepted(in_loop(vec![set(g("owner"), rd(l(I)))]));
    accepted(in_loop(vec![set(g("x"), add(rd(f(r(I))), n(1)))]));
    refused(in_loop(vec![set(g("owner"), rd(l(P)))]), "each a different value");
    refused(in_loop(vec![set(g("x"), rd(a(I))), set(a(I), n(0)), set(a(P), n(0))]), "reads it");
}

#[test]
fn the_refusal_points_at_the_statement_and_its_loop() {
    let mut write = set(g("owner"), rd(l(P)));
    write.span = Span::new(10, 20);
    let mut outer = each(P, PROC, vec![write]);
    outer.span = Span::new(5, 30);
    let found = refusals(Vec::new(), vec![outer]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].span, found[0].loop_span), (Span::new(10, 20), Some(Span::new(5, 30))));
    let reason = "the iterations of this loop write `owner`, each a different value: the result depends on the order of `Proc`";
    assert_eq!(found[0].reason, reason);
}

// Accumulation.

#[test]
fn sums_of_one_sign() {
    accepted(in_loop(vec![set(g("x"), add(rd(g("x")), rd(a(P))))]));
    accepted(in_loop(vec![when(eq(rd(a(P)), n(0)), vec![set(g("x"), add(n(1), rd(g("x"))))])]));
    let minus = |e1, e2| e(ExprKind::Arith(ArithOp::Sub, Box::new(e1), Box::new(e2)), Types::INT);
    accepted(in_loop(vec![set(a(I), minus(rd(a(I)), n(1)))]));
    refused(
        in_loop(vec![set(g("x"), add(rd(g("x")), n(1))), set(g("x"), minus(rd(g("x")), n(1)))]),
        "different",
    );
    refused(in_loop(vec![set(g("z"), add(rd(g("z")), rd(g("z"))))]), "");
}

#[test]
fn sums_of_unknown_sign_may_overflow_halfway() {
    let term = at(g("signed"), rd(l(P)));
    refused(in_loop(vec![set(g("z"), add(rd(g("z")), rd(term)))]), "another reads it");
}

#[test]
fn a_sum_that_is_also_read_is_refused() {
    refused(in_loop(vec![set(g("x"), add(rd(g("x")), n(1))), set(a(P), rd(g("x")))]), "another reads it");
}

#[test]
fn connectives_that_cannot_hide_a_failure() {
    accepted(in_loop(vec![set(g("y"), or(rd(g("y")), undefined(a(P))))]));
    // If `y` holds already, `A[p] = 0` is not evaluated and cannot fail.
    refused(in_loop(vec![set(g("y"), or(rd(g("y")), eq(rd(a(P)), n(0))))]), "another reads it");
    refused(in_loop(vec![set(g("y"), or(undefined(a(P)), rd(g("y"))))]), "another reads it");
}

// Multisets.

#[test]
fn elements_may_be_added_in_any_order() {
    let insert = |e| s(StmtKind::MultisetAdd(Operand::Value(e), g("M")));
    accepted(in_loop(vec![when(eq(rd(a(P)), n(0)), vec![insert(rd(l(P)))])]));
    let any = e(ExprKind::Count(SLOT, g("M"), Box::new(eq(rd(slot(g("M"), SLOT)), rd(l(I))))), Types::INT);
    refused(in_loop(vec![set(a(P), any), insert(rd(l(P)))]), "writes `M`");
    let condition = eq(rd(slot(g("M"), SLOT)), rd(l(P)));
    let remove = |condition| s(StmtKind::MultisetRemovePred(SLOT, g("M"), condition));
    accepted(in_loop(vec![remove(condition.clone())]));
    refused(in_loop(vec![remove(condition), insert(rd(l(P)))]), "`M`");
    refused(in_loop(vec![remove(eq(rd(slot(g("M"), SLOT)), rd(l(I)))), set(a(P), n(0))]), "`M`");
}

fn choosing(binders: Vec<(LocalId, Place)>, body: Block) -> Vec<Refusal> {
    let mut model = lab();
    let binders = binders.into_iter().map(|(local, set)| Binder::Choose(local, set)).collect();
    model.rules.push(rule(binders, body));
    verify(&model)
}

#[test]
fn positions_in_multisets_are_not_values() {
    let remove = |slot| s(StmtKind::MultisetRemove(rd(l(slot)), g("M")));
    let one = || vec![(SLOT, g("M"))];
    assert_eq!(choosing(one(), vec![set(g("owner"), rd(slot(g("M"), SLOT))), remove(SLOT)]), []);
    assert_eq!(choosing(one(), vec![set(g("x"), rd(l(SLOT)))]).len(), 1);
    let two = || vec![(SLOT, g("M")), (OTHER_SLOT, g("M"))];
    let differ = eq(rd(l(SLOT)), rd(l(OTHER_SLOT)));
    assert_eq!(choosing(two(), vec![when(differ, vec![remove(SLOT)])]), []);
    let net = |i| Place { ty: TypeId(8), ..at(g("nets"), n(i)) };
    let read = |i| vec![set(g("owner"), rd(slot(net(i), SLOT)))];
    assert_eq!(choosing(vec![(SLOT, net(1))], read(1)), []);
    assert_eq!(choosing(vec![(SLOT, net(1))], read(2)).len(), 1, "the position in another multiset");
}

#[test]
fn chosen_slots_that_were_filled_again() {
    let remove = |slot| s(StmtKind::MultisetRemove(rd(l(slot)), g("M")));
    let insert = || s(StmtKind::MultisetAdd(Operand::Value(rd(g("owner"))), g("M")));
    let read = || set(g("owner"), rd(slot(g("M"), SLOT)));
    let two = || vec![(SLOT, g("M")), (OTHER_SLOT, g("M"))];
    assert_eq!(choosing(vec![(SLOT, g("M"))], vec![remove(SLOT), insert(), read()]), []);
    assert_eq!(choosing(two(), vec![read(), remove(SLOT), remove(OTHER_SLOT), insert()]), []);
    assert_eq!(choosing(two(), vec![remove(SLOT), remove(OTHER_SLOT), insert(), read()]).len(), 1);
}

// Leaving a loop.

#[test]
fn returns_that_cannot_hide_a_failure() {
    let search = |condition, value| {
        let body = vec![each(LocalId(0), PROC, vec![when(condition, vec![ret(value)])]), ret(n(0))];
        let mut function = function(&[], Some(SMALL), body);
        function.frame.locals[0].ty = PROC;
        let value = e(ExprKind::Call(Box::new(call(0, Vec::new()))), SMALL);
        refusals(vec![function], vec![set(g("x"), value)])
    };
    let own = || at(g("A"), rd(of(0, PROC)));
    assert_eq!(search(undefined(own()), n(1)), []);
    assert!(search(undefined(own()), rd(own()))[0].reason.contains("decides what is returned"));
    // Some `A[p]` before it may be 0, or not, when another is undefined.
    assert!(search(eq(rd(own()), n(0)), n(1))[0].reason.contains("may fail"));
}

#[test]
fn returns_next_to_writes() {
    let leave = || s(StmtKind::Return(None));
    accepted(in_loop(vec![when(undefined(a(P)), vec![leave()])]));
    refused(in_loop(vec![when(undefined(a(P)), vec![leave()]), set(a(P), n(0))]), "leaves the loop");
}

#[test]
fn assumptions_and_covers() {
    accepted(in_loop(vec![s(StmtKind::Assume(undefined(a(P))))]));
    refused(in_loop(vec![s(StmtKind::Assume(eq(rd(a(P)), n(0))))]), "`assume`");
    refused(in_loop(vec![s(StmtKind::Assume(undefined(a(P)))), set(f(r(P)), rd(a(P)))]), "`assume`");
    accepted(vec![s(StmtKind::Assume(eq(rd(a(I)), n(0)))), each(P, PROC, vec![set(a(P), n(0))])]);
    accepted(in_loop(vec![s(StmtKind::Cover(undefined(a(P)), 0))]));
    refused(in_loop(vec![s(StmtKind::Cover(eq(rd(a(P)), n(0)), 0))]), "`cover`");
}

#[test]
fn assertions_and_output_are_harmless() {
    let put = s(StmtKind::Put(Operand::Value(rd(g("x"))), "x".into()));
    accepted(in_loop(vec![
        s(StmtKind::Assert(eq(rd(a(P)), n(0)), String::new())),
        put,
        set(g("x"), add(rd(g("x")), n(1))),
    ]));
}

// Temporaries.

#[test]
fn temporaries_are_assigned_before_they_are_read() {
    let through = vec![set(l(T), rd(a(P))), set(f(r(P)), rd(l(T)))];
    accepted(in_loop(through.clone()));
    let stale = vec![set(f(r(P)), rd(l(T))), set(l(T), rd(a(P)))];
    refused(in_loop(stale), "`t`");
    let half = vec![when(eq(rd(a(P)), n(0)), vec![set(l(T), n(1))]), set(f(r(P)), rd(l(T)))];
    refused(in_loop(half), "`t`");
    accepted(vec![each(P, PROC, through.clone()), each(P, PROC, through.clone())]);
    refused(vec![each(P, PROC, through), set(g("x"), rd(l(T)))], "`t`");
}

#[test]
fn temporary_records_are_assigned_field_by_field() {
    let copy = || s(StmtKind::Copy(r(P), l(REC)));
    accepted(in_loop(vec![set(f(l(REC)), rd(a(P))), set(id(l(REC)), rd(l(P))), copy()]));
    accepted(in_loop(vec![s(StmtKind::Undefine(l(REC))), set(f(l(REC)), rd(a(P))), copy()]));
    // Its other field is the same in all iterations, unless one of them writes it.
    accepted(in_loop(vec![set(f(l(REC)), rd(a(P))), copy()]));
    refused(in_loop(vec![set(f(l(REC)), rd(a(P))), copy(), set(id(l(REC)), rd(l(P)))]), "`rec");
}

#[test]
fn sums_inside_an_iteration() {
    let sum = |start: Block| {
        let mut body = start;
        body.push(each(Q, PROC, vec![set(l(T), add(rd(l(T)), rd(f(r(Q)))))]));
        body.push(set(a(P), rd(l(T))));
        in_loop(body)
    };
    accepted(sum(vec![set(l(T), n(0))]));
    refused(sum(Vec::new()), "`t`");
}

// What is not a loop.

#[test]
fn clear_puts_the_first_element() {
    accepted(vec![s(StmtKind::Clear(g("A"))), s(StmtKind::Clear(g("M"))), s(StmtKind::Clear(g("v")))]);
    refused(vec![s(StmtKind::Clear(g("owner")))], "`clear`");
    refused(vec![s(StmtKind::Clear(g("R")))], "`clear`");
    refused(vec![s(StmtKind::Clear(g("u")))], "`clear`");
}

#[test]
fn fixed_elements_are_refused() {
    refused(vec![set(g("owner"), e(ExprKind::Const(1), PROC))], "fixed element");
    refused(vec![set(g("u"), e(ExprKind::Const(1), UNION))], "fixed element");
    accepted(vec![set(g("u"), e(ExprKind::Const(3), UNION))]);
    accepted(vec![set(g("owner"), e(ExprKind::Const(UNDEFINED), PROC))]);
}

#[test]
fn elements_are_not_numbers() {
    let less = e(ExprKind::Order(OrderOp::Lt, Box::new(rd(l(I))), Box::new(rd(g("owner")))), Types::BOOL);
    refused(vec![when(less, Vec::new())], "by order");
    refused(vec![set(g("x"), rd(l(I)))], "mixed");
}

#[test]
fn loops_over_unions_and_ranges() {
    refused(vec![each(U, UNION, vec![set(g("u"), rd(l(U)))])], "each a different value");
    accepted(vec![each(U, UNION, vec![set(at(g("B"), rd(l(U))), n(1))])]);
    accepted(vec![each(T, SMALL, vec![set(g("x"), rd(l(T)))])]);
}

#[test]
fn quantifiers_with_effects() {
    let exists = |function: Function| {
        let each = Loop { local: P, range: LoopRange::Type(PROC), span: Span::default() };
        let body = e(ExprKind::Call(Box::new(call(0, vec![Arg::Value(rd(l(P)))]))), Types::BOOL);
        let condition = ExprKind::Quantified(Quantifier::Exists, Box::new(each), Box::new(body));
        refusals(vec![function], vec![set(g("y"), e(condition, Types::BOOL))])
    };
    let with = |target: Place, value: Expr| {
        function(&[(PROC, Storage::Value)], Some(Types::BOOL), vec![set(target, value), ret(truth())])
    };
    assert_eq!(exists(with(at(g("A"), rd(of(0, PROC))), n(1))), []);
    assert_eq!(exists(with(g("owner"), rd(of(0, PROC)))).len(), 1);
}

#[test]
fn start_states_need_not_be_symmetric() {
    let mut model = lab();
    let body = in_loop(vec![set(g("owner"), rd(l(P))), s(StmtKind::Clear(g("u")))]);
    model.starts.push(rule(Vec::new(), body));
    assert_eq!(verify(&model), []);
}

#[test]
fn properties_and_guards_are_checked() {
    let less = e(ExprKind::Order(OrderOp::Lt, Box::new(rd(l(I))), Box::new(rd(g("owner")))), Types::BOOL);
    let mut model = lab();
    let mut guarded = rule(ruleset(), Vec::new());
    guarded.guard = Some(less.clone());
    model.rules.push(guarded);
    assert_eq!(verify(&model).len(), 1);
    let mut model = lab();
    model.properties.push(Property {
        name: "invariant".into(),
        named: true,
        kind: PropertyKind::Invariant,
        binders: ruleset(),
        frame: frame(),
        condition: Some(less),
        formula: None,
        span: Span::default(),
    });
    assert_eq!(verify(&model).len(), 1);
}

#[test]
fn one_element_has_no_order() {
    let mut model = lab();
    model.types.domains[0].size = 1;
    model.rules.push(rule(ruleset(), in_loop(vec![set(g("owner"), rd(l(P)))])));
    assert_eq!(verify(&model), []);
}
