-- E0204: two variables of one name
var x : 0..3;
var y, x : boolean;
startstate begin y := true; end;
