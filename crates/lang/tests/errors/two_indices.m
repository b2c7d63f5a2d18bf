-- E0101: one pair of brackets for two indices
var a : array [0..1] of array [0..1] of boolean;
startstate begin a[0, 1] := true; end;
