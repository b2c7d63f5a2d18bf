-- W0101: a declaration without a name
const : 3;
var x : 0..3;
startstate begin x := 0; end;
