-- E0101: a bracket is missing
type P : scalarset(2);
var s : array [P] of boolean; x : 0..3;
startstate begin x := 0; end;
ruleset i : P do rule "r" x < 3 ==> begin x := x + 1; s[i] := true; end; end;
ctl "c" A [ x < 3 U x = 3;
