-- E0703: an array is called like a path quantifier
type P : scalarset(2);
var s : array [P] of boolean; x : 0..3; A : array [0..3] of boolean;
startstate begin x := 0; end;
ruleset i : P do rule "r" x < 3 ==> begin x := x + 1; s[i] := true; end; end;
ctl "c" AG A [ x < 3 U x = 3 ];
