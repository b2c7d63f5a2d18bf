-- E0311: a result of another type
var x : 0..3;
function full() : boolean;
begin return x; end;
startstate begin x := 0; end;
