-- E0702: the past for all runs
type P : scalarset(2);
var s : array [P] of boolean; x : 0..3;
startstate begin x := 0; end;
ruleset i : P do rule "r" x < 3 ==> begin x := x + 1; s[i] := true; end; end;
ctl "c" AG (x = 3 -> AP x = 2);
