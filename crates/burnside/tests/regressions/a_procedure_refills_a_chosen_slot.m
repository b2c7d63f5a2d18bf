-- As a_loop_refills_a_chosen_slot.m, by a procedure, read through an alias.
-- expect: violated
type P: scalarset(2); R: record p: P; end;
var m: multiset [4] of R; x: P; y: P; s: 0..2;
procedure var_add(p: P); var r: R; begin r.p := p; multisetadd(r, m); end;
startstate begin undefine m; undefine x; undefine y; s := 0; end;
ruleset p: P do rule "one" multisetcount(i: m, true) = 0 ==> var r: R; begin r.p := p; multisetadd(r, m); end; end;
choose i: m do alias e: m[i] do rule "go" s = 0 ==> begin
  y := e.p; multisetremove(i, m); for p: P do var_add(p); end; x := e.p; s := 1; end; end; end;
rule "t" s > 0 ==> begin s := 3 - s; end; invariant s > 0 -> x != y;
