//! The functions of a model say what the interpreter does, feature by feature, errors included.

mod common;

use burnside_lang::source::Source;
use burnside_model::code::{Semantics, Undefined};

fn check(name: &str, text: &str) {
    let source = Source::new(name, text);
    let (model, diagnostics) = burnside_lang::murphi::load(&source, &[]);
    let model = model.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    for undefined in Undefined::ALL {
        let semantics = Semantics { undefined, loop_limit: 40, call_depth: 12 };
        let compared = common::compare(&model, semantics, 300, 7);
        assert!(compared.is_ok(), "{name}: {}", compared.unwrap_err());
    }
}

#[test]
fn arithmetic() {
    check(
        "arithmetic",
        "var x, y: -20 .. 20;
         startstate x := 0; y := 1; end;
         ruleset k: -3 .. 3 do
           rule \"add\" x := x + k; end;
           rule \"divide\" y := x / k; x := x % k; end;
           rule \"divide by a variable\" y := x / y; x := k % (y - 1); end;
           rule \"multiply\" x := x * y - k; end;
           rule \"shift\" y := (x << k) & 15; end;
           rule \"shift by a variable\" y := (k << x) & 15; x := (-20 >> y) | 1; end;
           rule \"more\" x := -y | k; y := (y >> k) ^ 3; end;
           rule \"complement\" x := ~y; y := ~(x ^ k) & 7; end;
         end;
         invariant \"small\" x * x <= 400 & (x = 7 -> 100 / (y - 3) > -1000);
         invariant \"orders\" x < y | x >= y & !(x > y & x <= y);",
    );
}

#[test]
fn large_numbers() {
    check(
        "large numbers",
        "var x: -4611686018427387000 .. 4611686018427387903; y: 0 .. 70; big: 0 .. 4611686018427387903;
         startstate x := 1; y := 0; big := 4611686018427387903; end;
         rule \"down\" x := x * 1000; y := (y + 7) % 71; end;
         rule \"less\" x := -x * 999; end;
         rule \"too far\" x := (big << 1) * (x - 3); end;
         rule \"add\" x := big + big + y - big - big - y; end;
         rule \"shift\" x := (1 << y) - (1 << y); y := (x >> y) & 63; end;
         rule \"most negative\" x := (1 << (y - 7)) & 1; end;
         rule \"complement\" x := ~(big + big + 1) & 3; end;
         rule \"divide\" x := big / (x - 1) % 97; end;
         rule \"square\" y := (big * big) & 1; end;
         invariant \"none\" (x + 1) * 3 / 3 = x + 1;",
    );
}

#[test]
fn multisets() {
    check(
        "multisets",
        "type id: scalarset(3); msg: record from: id; kind: 0 .. 2; end;
         var net: multiset [3] of msg; nets: array [id] of multiset [2] of 0 .. 3; last: id; n: 0 .. 3;
         startstate undefine net; undefine last; n := 0; undefine nets; end;
         ruleset i: id; k: 0 .. 1 do
           rule \"send\" var m: msg; begin m.from := i; m.kind := k; multisetadd(m, net);
             n := multisetcount(j: net, net[j].kind = 0); end;
           rule \"send where\" !isundefined(last) ==> multisetadd(n + k, nets[last]); end;
           rule \"half\" var m: msg; begin m.kind := k; multisetadd(m, net); end;
           rule \"local\" var other: multiset [2] of 0 .. 3; begin
             multisetadd(k, other); if n > 1 then multisetadd(n, other); end;
             if other = nets[i] then undefine other; end; nets[i] := other; end;
         end;
         choose j: net do
           rule \"receive\" net[j].kind < 2 ==> last := net[j].from; multisetremove(j, net); end;
           rule \"age\" net[j].kind := net[j].kind + 1; end;
           rule \"twice\" multisetremove(j, net); multisetadd(n, nets[last]); multisetremove(j, net); end;
           ruleset i: id do choose k: nets[i] do
             rule \"move\" n := nets[i][k]; multisetremove(k, nets[i]); end;
           end; end;
         end;
         rule \"flush\" multisetremovepred(j: net, net[j].kind = 2); end;
         rule \"all\" forall i: id do forall j: id do nets[i] = nets[j] end end ==> clear nets; end;
         invariant \"few\" multisetcount(j: net, net[j].kind = n) <= 3;
         invariant \"counted\" forall i: id do multisetcount(j: nets[i], nets[i][j] > n) < 3 end;",
    );
}

#[test]
fn unions_and_undefined() {
    check(
        "unions",
        "type proc: scalarset(2); dir: enum { left, right }; who: union { proc, dir };
           num: 3 .. 6; any: union { num, proc, dir };
         var owner: who; copy: who; slots: array [who] of 0 .. 2; p: proc; a: any; m: 0 .. 9;
         startstate undefine owner; undefine copy; undefine p; clear slots; a := 4; m := 0; end;
         ruleset q: proc do
           rule \"own\" owner := q; end;
           rule \"take\" isundefined(owner) | !ismember(owner, proc) ==> owner := q; p := q; end;
         end;
         ruleset w: who do rule \"each\" slots[w] = 1 ==> a := w; owner := w; end; end;
         rule \"copy\" copy := owner; end;
         rule \"turn\" owner := right; undefine p; end;
         rule \"narrow\" p := owner; end;
         rule \"wide\" a := owner; end;
         rule \"number\" m := m + 1; a := m; end;
         rule \"back\" ismember(a, num) ==> m := a; end;
         rule \"wrong\" m := a; end;
         rule \"to a smaller union\" owner := a; end;
         rule \"count\" !isundefined(copy) ==> slots[copy] := slots[copy] + 1; end;
         rule \"choose\" copy := isundefined(owner) ? copy : owner; end;
         rule \"if defined\" if isundefined(p) then clear owner; else copy := p; undefine p; end; end;
         invariant \"bounded\" forall w: who do slots[w] <= 2 end;
         invariant \"members\" isundefined(a) | ismember(a, dir) | !ismember(a, dir);",
    );
}

#[test]
fn undefined_values_that_are_compared() {
    check(
        "compared",
        "type proc: scalarset(2); one: scalarset(1); dir: enum { left, right }; who: union { proc, dir, one };
         var owner, copy: who; p, q: proc; o: one; d: dir; n: 0 .. 3; link: array [proc] of proc;
         function last(): proc; begin return p; end;
         function lost(): dir; begin return d; end;
         function found(x: who): boolean; begin return x = owner; end;
         startstate n := 0; end;
         ruleset r: proc do
           rule \"own\" owner := r; link[r] := p; end;
           rule \"mine\" p = r ==> undefine p; n := 1; end;
           rule \"not mine\" p != r & owner != r ==> p := r; q := last(); end;
           rule \"linked\" link[r] = q ==> n := 2; undefine link[r]; end;
           rule \"far\" n = 3 & link[link[r]] = r ==> n := 0; end;
         end;
         rule \"same\" owner = p ==> n := 3; end;
         rule \"alike\" (n > 1 ? p : q) = (n < 2 ? q : p) ==> o := o; d := left; end;
         rule \"only\" o = owner ==> clear o; owner := o; end;
         rule \"lost\" n = 2 ==> d := lost(); if owner = right then undefine d; end; end;
         rule \"enum\" n = 1 & owner = d ==> owner := right; end;
         rule \"switch\" switch owner case copy: n := 0; case left, right: n := 1; else n := 2; end; end;
         rule \"which\" switch q case p: undefine owner; else copy := owner; end; end;
         rule \"member\" ismember(owner, proc) | found(copy) ==> undefine owner; undefine q; end;
         rule \"copied\" copy := p; undefine o; end;
         invariant \"apart\" owner = copy | owner != copy;
         invariant \"links\" forall a: proc; b: proc do link[a] = b -> a = a end;",
    );
}

#[test]
fn guards_that_change_the_state() {
    check(
        "guards",
        "type proc: scalarset(2); var x: 0 .. 3; seen: array [proc] of boolean; box: multiset [2] of proc;
         function tick(): boolean; begin x := (x + 1) % 4; return x != 2; end;
         function first(p: proc): boolean; begin if seen[p] then return false; end; seen[p] := true;
           multisetadd(p, box); return true; end;
         procedure clean(var b: boolean); begin b := false; end;
         function undo(p: proc): boolean; begin clean(seen[p]); return x = 0; end;
         startstate x := 0; for p: proc do seen[p] := false; end; end;
         rule \"tick\" tick() ==> end;
         rule \"twice\" tick() & tick() ==> assert x != 3 \"three\"; end;
         ruleset p: proc do
           rule \"first\" first(p) | x = 3 ==> x := x / 2; end;
           rule \"undo\" undo(p) ==> multisetremovepred(i: box, box[i] = p); end;
         end;
         invariant \"first\" x < 4 & (tick() | x = 2);
         ruleset p: proc do invariant \"fresh\" seen[p] | first(p) end;",
    );
}

#[test]
fn calls_and_loops() {
    check(
        "calls",
        "const n: 4;
         type index: 0 .. n - 1; row: array [index] of 0 .. 9;
         var a: array [boolean] of row; depth: 0 .. 30; flip: boolean;
         function fib(k: 0 .. 9): 0 .. 99; begin
           if k < 2 then return k; end; return fib(k - 1) + fib(k - 2); end;
         function swapped(r: row): row; var s: row; begin
           for i: index do s[i] := r[n - 1 - i]; end; return s; end;
         procedure bump(var cell: 0 .. 9; more: 0 .. 9); begin cell := (cell + more) % 10; end;
         procedure down(var x: 0 .. 30); begin if x > 0 then x := x - 1; down(x); end; end;
         startstate clear a; depth := 0; flip := false; end;
         rule \"fib\" fib(a[flip][0] % 5) < 20 ==> depth := fib(a[flip][0] % 6); end;
         rule \"swap\" a[flip] := swapped(a[!flip]); end;
         rule \"down\" var x: 0 .. 30; begin x := depth; down(x); depth := x; end;
         ruleset i: index do
           rule \"bump\" alias c: a[flip][i] do bump(c, i + 1); end; flip := !flip; end;
           rule \"computed\" bump(a[flip][a[true][i] % n], i); depth := a[flip][a[false][i]]; end;
         end;
         rule \"while\" var i: 0 .. 9; begin i := 0; while i < a[true][1] do i := i + 1; end;
           depth := i; assert depth != 7 \"seven\"; end;
         rule \"same\" a[true] = a[false] ==> put \"same\"; cover depth = 0; assume a[true][0] != 3;
           for i := 3 to 0 by -1 do a[true][i] := i; end; end;
         rule \"one of two\" (flip ? a[true] : a[false]) != swapped(flip ? swapped(a[true]) : a[false]) ==>
           a[true] := flip ? swapped(a[true]) : a[false]; end;
         invariant \"some\" exists i: index do a[false][i] <= 9 end;
         assume \"not too deep\" depth < 25;
         cover \"deep\" depth > 5; liveness \"home\" depth = 0;",
    );
}

#[test]
fn returns_in_the_middle() {
    check(
        "returns",
        "type index: 0 .. 3; var a: array [index] of 0 .. 5; last: 0 .. 5; calls: 0 .. 20;
         function find(v: 0 .. 5): index; begin
           for i: index do calls := calls + 1; if a[i] = v then last := v; return i; end; end;
         end;
         function first(v: 0 .. 5): 0 .. 4; var i: 0 .. 4; begin
           i := 0;
           while i < 4 do
             if a[i] = v then return i; elsif a[i] > v then a[i] := v; return i; end;
             i := i + 1;
           end;
           return 4; end;
         procedure twice(v: 0 .. 5); begin
           if v = 2 then return; end;
           if a[0] > v then if a[1] > v then a[2] := v; return; else last := v; end; a[0] := v; end;
           switch v case 0, 1: return; case last: a[3] := 1; else a[3] := 2; if a[1] = 0 then return; end; end;
           a[1] := v; end;
         procedure nested(v: 0 .. 5); begin
           if v > 3 then return; end; twice(v); twice(a[v]); last := 0; end;
         startstate for i: index do a[i] := i; end; last := 0; calls := 0; end;
         ruleset v: 0 .. 5 do
           rule \"find\" last := find(v); calls := 0; end;
           rule \"find too often\" last := find(a[find(v)]); end;
           rule \"first\" last := first(v); end;
           rule \"twice\" calls := 0; twice(v); end;
           rule \"nested\" calls := 0; nested(v); end;
           rule \"change\" a[v] := last; end;
           rule \"return\" if a[v] = 1 then return; end; a[v] := 1; end;
         end;
         rule \"in an order\" var b: boolean; begin b := a[1] < 5 & find(a[2]) < 3 | find(5) = 1;
           last := b ? 5 - a[1] / (a[2] - 1) : a[find(a[1])]; end;",
    );
}

#[test]
fn loops_between_numbers() {
    check(
        "loops",
        "var x, y: -2 .. 6; s: 0 .. 60; step: -2 .. 2;
         startstate x := 0; y := 3; s := 0; step := 1; end;
         ruleset k: -2 .. 6 do rule \"set x\" x := k; end; rule \"set y\" y := k; end; end;
         ruleset k: -2 .. 2 do rule \"set step\" step := k; end; end;
         rule \"up\" s := 0; for i := x to y do s := s + i + 2; if s > 20 then return; end; end; end;
         rule \"steps\" s := 0; for i := x to y by step do s := s * 2 + 1; end; end;
         rule \"back\" s := 0; for i := y to x by -2 do s := s + i * i; end; end;
         ruleset k: 38 .. 42 do rule \"set s\" s := k; end; end;
         rule \"up to the limit\" var k: 0 .. 60; begin k := 0; while k < s do k := k + 1; end; s := 0; end;
         rule \"for ever\" while x != y do x := x; if s > 3 then s := s - 3; else x := y; end; end; end;
         rule \"too long\" while x < 4 do s := (s + 1) % 60; if y = 3 & s = 7 then x := 6; end; end; end;
         rule \"nested\" while s > 0 do
           while s % 4 != 0 do s := s - 1; if x = s then error \"met\"; end; end; s := s / 2; end; end;
         rule \"quantified\" (forall i := x to y do i < 5 end) & exists i := y to x by step do 6 / i = 2 end ==>
           s := 1; end;
         invariant \"order\" forall i := x to y do exists j := i to y do j = y end end;",
    );
}

#[test]
fn recursion() {
    check(
        "recursion",
        "type tree: 0 .. 6; node: record left: tree; right: tree; mark: boolean; end;
         var t: array [tree] of node; at: tree; n: 0 .. 40;
         function size(k: tree): 0 .. 40; begin
           if k = 0 then return 0; end;
           if isundefined(t[k].left) then return 1; end;
           return 1 + size(t[k].left) + size(t[k].right); end;
         procedure mark(k: tree; var count: 0 .. 40); begin
           if k = 0 then return; end;
           if t[k].mark then return; end;
           t[k].mark := true; count := count + 1;
           mark(t[k].left, count); mark(t[k].right, count); end;
         function deep(k: 0 .. 40): boolean; begin if k = 0 then return true; end; return !deep(k - 1); end;
         startstate for k: tree do t[k].mark := false; end; at := 1; n := 0;
           t[1].left := 2; t[1].right := 3; t[2].left := 4; t[2].right := 0; end;
         ruleset k: tree do
           rule \"link\" t[at].left := k; t[at].right := t[k].left; end;
           rule \"go\" at := k; end;
         end;
         rule \"size\" n := size(at); end;
         rule \"mark\" n := 0; mark(at, n); end;
         rule \"deep\" deep(n) ==> n := n + 3; end;
         rule \"unmark\" for k: tree do t[k].mark := false; end; n := 0; end;",
    );
}

#[test]
fn aliases_and_references() {
    check(
        "aliases",
        "type index: 0 .. 2; pair: record a: index; b: array [index] of index; end;
         var p: array [index] of pair; x: index;
         procedure swap(var u, v: index); var w: index; begin w := u; u := v; v := w; end;
         procedure turn(var r: pair); begin
           alias q: r.b[r.a] do r.a := q; q := r.b[r.a]; swap(q, r.a); end; end;
         startstate for i: index do p[i].a := i; for j: index do p[i].b[j] := (i + j) % 3; end; end; x := 0; end;
         alias here: p[x] do
           rule \"here\" here.a > 0 ==> x := here.a - 1; here.a := 2; end;
           ruleset i: index do rule \"turn\" turn(here); x := here.b[i]; end; end;
         end;
         rule \"swap\" swap(p[x].a, x); end;
         rule \"swap inside\" swap(p[x].b[p[x].a], p[p[x].a].a); end;
         rule \"copy\" alias from: p[x] do x := from.b[0]; p[x] := from; end; end;
         rule \"over\" x := p[x].b[x] + 1; end;
         rule \"value\" alias v: p[x].a + 1 do x := 1; if v < 3 then p[x].a := v; end; end; end;
         invariant \"same\" forall i: index do forall j: index do p[i] = p[j] -> p[i].a = p[j].a end end;",
    );
}

#[test]
fn errors_in_order() {
    check(
        "errors",
        "type index: 0 .. 2; var a: array [index] of 0 .. 3; i: 0 .. 4; u: 0 .. 3; b: boolean;
         function check(k: 0 .. 3): 0 .. 3; begin assert k != 2 \"two\"; assume k != 3; return k; end;
         function guess(k: 0 .. 4): 0 .. 2; begin if k != 1 then return k; end; end;
         startstate clear a; i := 0; undefine u; b := false; end;
         ruleset k: 0 .. 4 do
           rule \"index\" i := k; end;
           rule \"assign\" a[i] := a[k] + k; end;
           rule \"order\" a[i / (i - k)] := check(a[i % 3]) + u; end;
         end;
         rule \"define\" u := i; end;
         rule \"undefine\" undefine u; b := !b; end;
         rule \"guard\" a[i] = u | b ==> b := false; end;
         rule \"arguments\" i := check(guess(i)) + guess(u); end;
         rule \"error\" if a[i] > 1 then error \"large\"; else a[i] := a[i] + 1; assume b; end; end;
         rule \"cases\" switch a[i % 3] case u: b := true; case 1, i / a[0]: b := false; end; end;
         rule \"put\" put a[i]; put i / u; end;
         invariant \"quick\" b | a[i % 3] < 3 | u > 0;
         invariant \"function\" check(a[0]) <= 3;
         invariant \"all\" forall k: index do a[k] != 3 | u = k end;
         cover \"function\" check(a[1]) = 1;
         assume \"assumed\" guess(a[2]) < 3;",
    );
}

#[test]
fn rings() {
    check(
        "rings",
        "type node: ring(5); pid: scalarset(2); where: union { node, pid };
         var at: node; loc: array [node] of 0 .. 2; home: array [pid] of node; u: where; none: node;
         startstate for i: node do loc[i] := 0; end; undefine at; undefine home; undefine u; undefine none; end;
         ruleset i: node; p: pid do
           rule \"put\" isundefined(at) ==> at := prev(i); home[p] := i + 2; u := next(i); end;
           rule \"step\" loc[next(i)] < 2 & !isundefined(at) ==>
             loc[next(i)] := loc[prev(i)] + 1; at := next(at) + 3; end;
           rule \"home\" home[p] != at - 1 ==> home[p] := at - 7; u := home[p] + 1; end;
         end;
         rule \"undefined\" loc[none + 1] = 0 ==> none := next(none); end;
         invariant \"apart\" forall i: node do loc[i] = 2 -> loc[i + 2] != 2 | loc[prev(i)] = 0 end;",
    );
}

/// Calls inside each other as deep as they may be, and one deeper.
#[test]
fn deep_recursion() {
    let text = "var n: 0 .. 300;
         function down(k: 0 .. 300): 0 .. 300; begin
           if k = 0 then return 0; else if k > 290 then n := k; end; return 1 + down(k - 1); end; end;
         startstate n := 254; end;
         rule \"down\" n < 280 ==> n := down(n); n := n + 1; end;";
    let (model, _) = burnside_lang::murphi::load(&Source::new("deep", text), &[]);
    let model = model.expect("the model is in order");
    let compare = move || common::compare(&model, Semantics::default(), 20, 7);
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(compare).expect("a thread");
    assert_eq!(thread.join().expect("no panic"), Ok(3));
}

/// The sizes of the papers: no code for undefined where nothing is.
#[test]
fn bits_are_as_few_as_possible() {
    let count = |declarations: &str, start: &str, rule: &str| {
        let text = format!(
            "type proc: scalarset(5); loc: enum {{ n, t, c }}; rec: record l: loc; p: proc; end;
             var {declarations} b: boolean; startstate b := true; {start} end;
             ruleset i: proc do rule {rule} b := !b; end; end;"
        );
        let (model, diagnostics) = burnside_lang::murphi::load(&Source::new("bits", &text), &[]);
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let encoding = burnside_encode::Encoding::new(&model, Semantics::default()).expect("small types");
        encoding.bits().len() - 1
    };
    let tok = |rule| count("tok: proc;", "for p: proc do tok := p; end;", rule);
    assert_eq!(tok("tok := i;"), 3);
    assert_eq!(tok("if b then tok := i; end;"), 3);
    assert_eq!(tok("undefine tok; tok := i;"), 3);
    assert_eq!(tok("undefine tok;"), 3 /* six values */);
    assert_eq!(count("x: 0 .. 3;", "x := 0;", "x := 3 - x;"), 2);
    assert_eq!(count("x: 0 .. 3;", "x := 0;", "if b then undefine x; end;"), 3);
    assert_eq!(count("x: 0 .. 3; y: 0 .. 3;", "x := 0;", "x := y;"), 6);
    assert_eq!(count("x: 0 .. 3; y: 0 .. 3;", "x := 0;", "x := y + 0;"), 5);
    assert_eq!(count("x: 0 .. 3; y: 0 .. 3;", "x := 0; y := 0;", "x := y; y := 1;"), 4);
    assert_eq!(count("l: array [proc] of loc;", "clear l;", "l[i] := t;"), 10);
    assert_eq!(count("a: array [proc] of rec;", "clear a;", "a[i].l := n;"), 5 * (2 + 3));
    // The entries of an array have the same bits, whichever of them may be undefined.
    assert_eq!(count("x: array [0 .. 1] of 0 .. 3;", "clear x;", "undefine x[1];"), 6);
    assert_eq!(count("x: 7 .. 7;", "x := 7;", ""), 0);
}
