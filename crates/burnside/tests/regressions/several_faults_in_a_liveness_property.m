-- Which fault is met first depends on the order of the elements.
-- expect: violated
type P: scalarset(2);
var a: array [P] of boolean; u, v: 0..1; s: 0..1;
startstate begin for p: P do a[p] := false; end; s := 0; undefine u; undefine v; end;
ruleset p: P do rule "set" s = 0 ==> begin a[p] := true; s := 1; end; end;
ruleset p: P do liveness s = 1 -> (a[p] ? u = 0 : v = 0); end;
