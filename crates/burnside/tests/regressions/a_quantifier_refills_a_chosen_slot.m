-- As a_loop_refills_a_chosen_slot.m, by a function with side effects under forall.
-- expect: violated
type P: scalarset(2); M: multiset [4] of P;
var m: M; x: P; y: P; s: 0..2;
function ad(p: P): boolean; begin multisetadd(p, m); return true; end;
startstate begin undefine m; undefine x; undefine y; s := 0; end;
ruleset p: P do rule "one" multisetcount(i: m, true) = 0 ==> begin multisetadd(p, m); end; end;
choose i: m do rule "go" s = 0 ==> begin
  y := m[i]; multisetremove(i, m); if forall p: P do ad(p) end then s := 1; end; x := m[i]; end; end;
rule "t" s > 0 ==> begin s := 3 - s; end;
invariant s > 0 -> x != y;
