-- E0316: an element added to an array
var a : array [0..3] of boolean;
startstate begin clear a; multisetadd(true, a); end;
