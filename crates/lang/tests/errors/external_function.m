-- E0119: a function written in C
externfun random(n : 0..3) : 0..3;
var x : 0..3;
startstate begin x := 0; end;
