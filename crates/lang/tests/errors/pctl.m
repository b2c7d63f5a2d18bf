-- E0118: a PCTL formula
var x : 0..3;
startstate begin x := 0; end;
pctl P >= 1 [ F x = 3 ];
