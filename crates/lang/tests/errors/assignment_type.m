-- E0301: a boolean assigned to a number
var x : 0..3;
startstate begin x := true; end;
