const N: 3;
type P: scalarset(N); S: enum { M, E, Sh, I };
var c: array [P] of S;
startstate for p: P do c[p] := I; end; end;
ruleset p: P do
rule "read shared" c[p] = I & exists q: P do c[q] != I end ==> for q: P do if c[q] != I then c[q] := Sh; end; end; c[p] := Sh; end;
rule "read exclusive" c[p] = I & forall q: P do c[q] = I end ==> c[p] := E; end;
rule "write hit" c[p] = E ==> c[p] := M; end;
rule "write" c[p] = Sh | c[p] = I ==> for q: P do c[q] := I; end; c[p] := M; end;
rule "evict" c[p] != I ==> c[p] := I; end;
end;
invariant "coherent" forall p: P do forall q: P do p != q & (c[p] = M | c[p] = E) -> c[q] = I end end;
