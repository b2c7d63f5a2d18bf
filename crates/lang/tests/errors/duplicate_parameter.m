-- E0204: two parameters of one name
var x : 0..3;
function f(a : boolean; a : 0..3) : boolean;
begin return true; end;
startstate begin x := 0; end;
