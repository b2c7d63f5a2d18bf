const N: 3;
type P: scalarset(N);
var a: array [P] of boolean; n: 0..N;
startstate for p: P do a[p] := false; end; n := 0; end;
ruleset p: P do rule "in" !a[p] ==> a[p] := true; n := n + 1; end;
rule "out" a[p] ==> a[p] := false; n := n - 1; end; end;
invariant "x" n >= 0;
