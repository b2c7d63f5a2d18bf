-- E0007: a number with a fraction
var x : 0..3;
startstate begin x := 0; end;
invariant x < 2.5;
