-- E0208: an override that is not a number (-D N=many)
const N : 2;
var x : 0..N;
startstate begin x := 0; end;
