-- A loop over a scalarset fills the slot that was just freed: its first element gets it.
-- expect: violated
type P: scalarset(3);
var m: multiset [4] of P; x: P; y: P; s: 0..2;
startstate begin undefine m; undefine x; undefine y; s := 0; end;
ruleset p: P do rule "one" multisetcount(i: m, true) = 0 ==> begin multisetadd(p, m); end; end;
choose i: m do rule "go" s = 0 ==> begin
  y := m[i]; multisetremove(i, m); for p: P do multisetadd(p, m); end; x := m[i]; s := 1; end; end;
rule "t" s > 0 ==> begin s := 3 - s; end;
invariant s > 0 -> x != y;
