-- An invariant whose condition goes wrong in the only states where it could be false was said to hold.
-- expect: violated
type P : scalarset(2);
var g : P; a : array [P] of boolean;
startstate for p : P do a[p] := false; end; end;
ruleset p : P do rule "flip" true ==> a[p] := !a[p]; end; end;
invariant "faulty" a[g];
invariant "faulty as well" !a[g];
