const N: 3;
type P: scalarset(N); S: enum { M, O, E, Sh, I };
var c: array [P] of S;
startstate for p: P do c[p] := I; end; end;
ruleset p: P do
rule "read miss" c[p] = I & exists q: P do c[q] != I end ==> for q: P do if c[q] = M then c[q] := O; elsif c[q] = E then c[q] := Sh; end; end; c[p] := Sh; end;
rule "read first" c[p] = I & forall q: P do c[q] = I end ==> c[p] := E; end;
rule "write hit" c[p] = E ==> c[p] := M; end;
rule "write" c[p] != M & c[p] != E ==> for q: P do if q != p then c[q] := I; end; end; c[p] := M; end;
end;
invariant "coherent" forall p: P do forall q: P do p != q & (c[p] = M | c[p] = E) -> c[q] = I end end;
invariant "one owner" forall p: P do forall q: P do c[p] = O & c[q] = O -> p = q end end;
