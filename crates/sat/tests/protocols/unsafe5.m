const N: 3;
type P: scalarset(N);
var a: array [P] of 0..2; n1: P; n2: P; n3: P; n4: P; bad: boolean;
startstate for p: P do a[p] := 0; end; undefine n1; undefine n2; undefine n3; undefine n4; bad := false; end;
ruleset p: P do
rule "1" isundefined(n1) ==> n1 := p; end;
rule "2" !isundefined(n1) & isundefined(n2) & p != n1 ==> n2 := p; end;
rule "3" !isundefined(n2) & isundefined(n3) & p != n1 & p != n2 ==> n3 := p; end;
rule "4" !isundefined(n3) & isundefined(n4) & p != n1 & p != n2 & p != n3 ==> n4 := p; end;
rule "5" !isundefined(n4) & p != n1 & p != n2 & p != n3 & p != n4 ==> bad := true; end;
end;
invariant "x" !bad;
