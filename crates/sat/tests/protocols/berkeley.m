const N: 3;
type P: scalarset(N); S: enum { EX, NE, UO, I };
var c: array [P] of S;
startstate for p: P do c[p] := I; end; end;
ruleset p: P do
rule "rm" c[p] = I ==> for q: P do if c[q] = EX then c[q] := NE; end; end; c[p] := UO; end;
rule "wm" c[p] = I ==> for q: P do c[q] := I; end; c[p] := EX; end;
rule "wh" c[p] = NE | c[p] = UO ==> for q: P do if q != p then c[q] := I; end; end; c[p] := EX; end;
end;
invariant "x" forall p: P do forall q: P do p != q & c[p] = EX -> c[q] = I end end;
invariant "y" forall p: P do forall q: P do p != q & (c[p] = EX | c[p] = NE) -> c[q] != EX & c[q] != NE end end;
