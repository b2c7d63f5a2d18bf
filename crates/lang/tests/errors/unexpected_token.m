-- E0101: an expression that breaks off
var x : 0..3;
startstate begin x := ; end;
