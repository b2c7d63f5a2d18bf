-- E0201: a variable used before its declaration
function full() : boolean;
begin return x = 3; end;
var x : 0..3;
startstate begin x := 0; end;
