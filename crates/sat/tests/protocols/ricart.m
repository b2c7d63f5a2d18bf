-- total order kept as a matrix
const N: 3;
type P: scalarset(N); S: enum { Idle, Wait, Crit };
var s: array [P] of S; before: array [P] of array [P] of boolean;  ok: array [P] of array [P] of boolean;
startstate for i: P do s[i] := Idle; for j: P do before[i][j] := false; ok[i][j] := false; end; end; end;
ruleset i: P do
rule "request" s[i] = Idle ==> s[i] := Wait;
  for j: P do before[j][i] := (s[j] != Idle) & j != i; before[i][j] := false; ok[i][j] := false; end; end;
rule "enter" s[i] = Wait & forall j: P do j = i | ok[i][j] end ==> s[i] := Crit; end;
rule "leave" s[i] = Crit ==> s[i] := Idle; for j: P do before[i][j] := false; ok[i][j] := false; end; end;
end;
ruleset i: P; j: P do
rule "grant" i != j & s[i] = Wait & !ok[i][j] & (s[j] = Idle | (s[j] = Wait & before[i][j])) ==> ok[i][j] := true; end;
end;
invariant "mutex" forall i: P do forall j: P do s[i] = Crit & s[j] = Crit -> i = j end end;
