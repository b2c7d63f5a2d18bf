-- E0601: an assignment to a constant
const N : 3;
var x : 0..N;
startstate begin x := 0; N := 2; end;
