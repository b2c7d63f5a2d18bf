-- E0004: a number with a leading zero and a nine
const N : 09;
var x : 0..N;
startstate begin x := 0; end;
