//! Compiled code gives what the interpreter gives, feature by feature, errors and warnings included.

mod common;

use burnside_lang::source::Source;
use burnside_model::code::{Semantics, Undefined};

fn check(name: &str, text: &str) {
    check_some(name, text, common::MAX_STATES);
}

fn check_some(name: &str, text: &str, most: usize) {
    let source = Source::new(name, text);
    let (model, diagnostics) = burnside_lang::murphi::load(&source, &[]);
    let model = model.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    for undefined in Undefined::ALL {
        common::compare(name, &model, Semantics { undefined, ..Semantics::default() }, most);
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
           rule \"multiply\" x := x * y - k; end;
           rule \"shift\" y := (x << k) & 15; end;
           rule \"more\" x := -y | k; y := (y >> k) ^ 3; end;
         end;
         invariant \"small\" x * x <= 400 & (x = 7 -> 100 / (y - 3) > -1000);",
    );
}

#[test]
fn multisets() {
    check(
        "multisets",
        "type id: scalarset(3); msg: record from: id; kind: 0 .. 2; end;
         var net: multiset [3] of msg; last: id; n: 0 .. 3;
         startstate undefine net; undefine last; n := 0; end;
         ruleset i: id; k: 0 .. 1 do
           rule \"send\" var m: msg; begin m.from := i; m.kind := k; multisetadd(m, net);
             n := multisetcount(j: net, net[j].kind = 0); end;
         end;
         choose j: net do
           rule \"receive\" net[j].kind < 2 ==> last := net[j].from; multisetremove(j, net); end;
           rule \"age\" net[j].kind := net[j].kind + 1; end;
         end;
         rule \"flush\" multisetremovepred(j: net, net[j].kind = 2); end;
         invariant \"few\" multisetcount(j: net, true) <= 3;",
    );
}

#[test]
fn unions_and_undefined() {
    check(
        "unions",
        "type proc: scalarset(2); dir: enum { left, right }; who: union { proc, dir };
         var owner: who; copy: who; slots: array [who] of 0 .. 2; p: proc;
         startstate undefine owner; undefine copy; undefine p; clear slots; end;
         ruleset q: proc do
           rule \"own\" owner := q; end;
           rule \"take\" isundefined(owner) | !ismember(owner, proc) ==> owner := q; p := q; end;
         end;
         rule \"copy\" copy := owner; end;
         rule \"turn\" owner := right; undefine p; end;
         rule \"narrow\" p := owner; end;
         rule \"count\" !isundefined(copy) ==> slots[copy] := slots[copy] + 1; end;
         invariant \"bounded\" forall w: who do slots[w] <= 2 end;",
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
         invariant \"small\" x < 4;",
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
         rule \"fib\" fib(a[flip][0]) < 20 ==> depth := fib(a[flip][0]); end;
         rule \"swap\" a[flip] := swapped(a[!flip]); end;
         rule \"down\" var x: 0 .. 30; begin x := depth; down(x); depth := x; end;
         ruleset i: index do
           rule \"bump\" alias c: a[flip][i] do bump(c, i + 1); end; flip := !flip; end;
         end;
         rule \"while\" var i: 0 .. 9; begin i := 0; while i < a[true][1] do i := i + 1; end;
           depth := i; assert depth != 7 \"seven\"; end;
         rule \"same\" a[true] = a[false] ==> put \"same\"; cover depth = 0; assume a[true][0] != 3;
           for i := 3 to 0 by -1 do a[true][i] := i; end; end;
         invariant \"some\" exists i: index do a[false][i] <= 9 end;",
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

#[test]
fn values_that_get_lost_on_the_way() {
    // All is defined at the start; what is undefined later comes through copies, references, records and fields.
    check(
        "lost",
        "type pair: record a, b: 0 .. 3; end;
         var x, y, z: 0 .. 3; p, q: pair; cells: array [0 .. 2] of pair; kept: array [0 .. 2] of 0 .. 3;
         procedure give(var place: 0 .. 3; value: 0 .. 3); begin place := value; end;
         procedure drop(var what: pair); begin undefine what.b; end;
         startstate x := 0; y := 1; z := 2; clear p; clear q; clear cells; clear kept; end;
         rule \"lose\" z = 2 ==> undefine z; end;
         rule \"find\" isundefined(z) ==> z := 1; end;
         rule \"pass on\" y := z; end;
         rule \"further\" give(x, y); end;
         rule \"drop\" drop(q); end;
         rule \"copy\" p := q; end;
         ruleset i: 0 .. 2 do
           rule \"into\" cells[i] := p; end;
           rule \"count\" kept[i] := (kept[i] + 1) % 4; end;
           rule \"read\" cells[i].b = 1 & kept[i] = 2 ==> cells[i].b := 0; end;
         end;
         rule \"compare\" x > 1 | p.b = 0 ==> x := 3 - x; end;
         invariant \"x\" x <= 3;
         invariant \"kept\" forall i: 0 .. 2 do kept[i] <= 3 end;",
    );
}

#[test]
fn words_written_on_some_ways_only() {
    check(
        "ways",
        "var a, b, c: 0 .. 9; cells: array [0 .. 3] of 0 .. 9; done: boolean;
         function next(var what: 0 .. 9): 0 .. 9; begin
           if what = 9 then return 0; end; what := what + 1; if what = 5 then return a; end; return what;
         end;
         startstate a := 0; b := 1; c := 2; clear cells; done := false; end;
         rule \"branch\" if a < 5 then a := a + 1; b := a; else c := a; if b > 3 then b := 0; end; end;
           c := (a + b) % 10; end;
         rule \"loop\" for i: 0 .. 3 do if cells[i] = b then a := i; end; cells[(i + a) % 4] := b; b := (b + 1) % 10; end;
           c := b; end;
         rule \"while\" while b > c do b := b - 1; if b = 4 then a := 9; end; end; cells[a % 4] := b; c := cells[a % 4]; end;
         rule \"call\" !done ==> b := next(a); c := a; if next(c) = 5 then done := true; end; a := c; end;
         rule \"switch\" switch a case 0, 1: b := 7; case 2: a := 3; b := a; else cells[b % 4] := a; end;
           a := b; c := cells[1]; end;
         invariant \"some\" exists i: 0 .. 3 do cells[i] != a | b != c | i > 2 end;",
    );
}

/// Arrays of all kinds of elements, in words in all ways that there are: a field of an element that lies in a later word
/// at a lower shift was once sought at the wrong bit.
#[test]
fn elements_of_all_sizes() {
    for outer in [2, 5, 10] {
        for (inner, x, y) in
            [(2, 1, 1), (6, 60, 1), (9, 60, 6), (6, 200, 6), (3, 6, 1), (6, 14, 6), (9, 1, 61)]
        {
            for c in [1, 5] {
                let name = format!("{outer} elements of {inner} with {x} and {y}, and {c}");
                check_some(&name, &elements(outer, inner, x, y, c), 150);
            }
        }
    }
}

/// A model that reads, writes, copies and undefines elements and parts of elements at indices from the state.
fn elements(outer: i64, inner: i64, x: i64, y: i64, c: i64) -> String {
    format!(
        "const N: {outer}; K: {inner}; X: {x}; Y: {y}; C: {c};
         type outer: 0 .. N - 1; inner: 0 .. K - 1;
           msg: record x: 0 .. X; y: 0 .. Y; end;
           net: record c: 0 .. C; m: array [inner] of msg; end;
         var i: outer; a: array [outer] of net; j: inner;
           copied, emptied, never: array [inner] of msg;
         procedure shift(var n: net; at: inner);
         begin
           for k: 0 .. K - 2 do if k >= at then n.m[k] := n.m[k + 1]; end; end;
           undefine n.m[K - 1 - at];
           n.c := (n.c + 1) % (C + 1);
         end;
         startstate
           for p: outer do
             a[p].c := p % (C + 1);
             for q: inner do
               a[p].m[q].x := (3 * p + q) % (X + 1); a[p].m[q].y := (p + 2 * q) % (Y + 1);
             end;
           end;
           i := 0; j := 0; clear copied; clear emptied; undefine never;
         end;
         rule \"i\" i := (i + 1) % N; end;
         rule \"j\" j := (j + 1) % K; end;
         rule \"count\" a[i].c := (a[i].c + 1) % (C + 1); end;
         rule \"field\" a[i].m[j].x := a[(i + 1) % N].m[j].x; end;
         rule \"element\" a[i].m[j] := a[(i + 1) % N].m[(j + 1) % K]; end;
         rule \"all\" a[i] := a[(i + 1) % N]; end;
         rule \"undefine\" undefine a[i].m[j]; end;
         rule \"shift\" shift(a[i], j); end;
         rule \"several\"
           alias e: a[i].m[j] do
             e.x := X; e.y := Y; a[(i + 1) % N].m[j].x := 0; a[i].c := C; e.y := e.x % (Y + 1);
             if a[0].m[0].y = 0 then e.x := 0; else a[0].m[0].y := 0; end;
             e.y := (e.y + e.x + 1) % (Y + 1);
           end;
         end;
         rule \"one word in two ways\"
           alias e: a[i].m[j] do e.x := X; a[0].m[0].x := 0; e.y := e.x % (Y + 1); end;
         end;
         rule \"asked for in one case only\"
           var t: boolean;
           begin
           if a[i].c = 0 & a[i].m[j].x = 0 then t := true; end;
           a[i].c := a[i].m[j].x % (C + 1);
         end;
         rule \"known to be undefined\"
           if isundefined(a[i].m[j].x) then a[i].c := a[i].m[j].x % (C + 1); end;
         end;
         rule \"lost by a copy\" copied[j] := never[(j + 1) % K]; end;
         rule \"lost by itself\" undefine emptied[(j + 1) % K]; end;
         rule \"lost\"
           if i = 0 then a[i].c := copied[j].x % (C + 1); else a[i].c := emptied[j].x % (C + 1); end;
         end;
         rule \"repeated\"
           for p: outer do
             if a[i].m[j].x < X then a[p].m[j].x := X; a[p].m[0].y := 0; end;
             a[p].c := a[i].m[0].y % (C + 1);
           end;
         end;
         ruleset p: outer do
           rule \"some\" !isundefined(a[p].m[j].x) & a[p].m[j].x = X ==> clear a[p].m[j]; a[p].c := 0; end;
         end;
         invariant \"counts\" forall p: outer do a[p].c <= C & (a[p].c = C -> isundefined(a[p].m[j].x) | a[p].m[j].x < X) end;"
    )
}
