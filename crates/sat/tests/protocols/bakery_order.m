const N: 3;
type P: scalarset(N); S: enum { Idle, Wait, Crit };
var s: array [P] of S; lt: array [P] of array [P] of boolean;
startstate for i: P do s[i] := Idle; for j: P do lt[i][j] := false; end; end; end;
ruleset i: P do
rule "ticket" s[i] = Idle ==> s[i] := Wait; for j: P do lt[i][j] := false; lt[j][i] := j != i & s[j] != Idle; end; end;
rule "enter" s[i] = Wait & forall j: P do !lt[j][i] end ==> s[i] := Crit; end;
rule "leave" s[i] = Crit ==> s[i] := Idle; for j: P do lt[i][j] := false; end; end;
end;
invariant "mutex" forall i: P do forall j: P do s[i] = Crit & s[j] = Crit -> i = j end end;
invariant "order" forall i: P do forall j: P do forall k: P do lt[i][j] & lt[j][k] -> lt[i][k] end end end;
