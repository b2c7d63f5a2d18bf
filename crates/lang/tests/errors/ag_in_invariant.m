-- E0203: a temporal operator in an invariant
type P : scalarset(2);
var s : array [P] of boolean; x : 0..3;
startstate begin x := 0; end;
ruleset i : P do rule "r" x < 3 ==> begin x := x + 1; s[i] := true; end; end;
invariant "i" AG (x < 4);
