-- E0207: an override of a constant that is not there (-D M=3)
const N : 2;
      SIZE : 4;
var x : 0..N;
startstate begin x := 0; end;
