-- E0209: an array indexed with parentheses
var a : array [0..3] of boolean;
startstate begin a[0] := true; end;
invariant a(0);
