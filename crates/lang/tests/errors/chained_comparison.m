-- E0111: comparisons in a row
var x : 0..3;
startstate begin x := 0; end;
invariant 0 <= x <= 3;
