-- E0306: an index into a number
var x : 0..3;
startstate begin x[0] := 0; end;
