const N: 3;
type P: scalarset(N); S: enum { D, E, Sh, I };
var c: array [P] of S;
startstate for p: P do c[p] := I; end; end;
ruleset p: P do
rule "r1" c[p] = I & forall q: P do c[q] = I end ==> c[p] := E; end;
rule "r3" c[p] = I & exists q: P do c[q] = Sh | c[q] = E end ==> for q: P do if c[q] = E then c[q] := Sh; end; end; c[p] := Sh; end;
rule "w1" c[p] = E ==> c[p] := D; end;
rule "w2" c[p] = Sh ==> for q: P do c[q] := I; end; c[p] := D; end;
rule "w3" c[p] = I ==> for q: P do c[q] := I; end; c[p] := D; end;
rule "ev" c[p] != I ==> c[p] := I; end;
end;
ruleset p: P; o: P do rule "r2" c[p] = I & c[o] = D ==> c[o] := Sh; c[p] := Sh; end; end;
invariant "x" forall p: P do forall q: P do p != q & c[p] = D -> c[q] = I end end;
