-- E0116: parameters separated by a comma
var x : 0..3;
function f(a : boolean, b : boolean) : boolean;
begin return a & b; end;
startstate begin x := 0; end;
