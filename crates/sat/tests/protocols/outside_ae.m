const N: 3;
type P: scalarset(N);
var e: array [P] of array [P] of boolean; x: boolean;
startstate for p: P do for q: P do e[p][q] := true; end; end; x := false; end;
rule "ae" forall p: P do exists q: P do !e[p][q] end end ==> x := true; end;
ruleset p: P; q: P do rule "t" p != q & (exists r: P do r != p & r != q & e[p][r] & !e[r][q] end) ==> e[p][q] := false; end; end;
invariant "x" !x;
