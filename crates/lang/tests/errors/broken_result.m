-- E0202: a wrong result type is not also a wrong return
var x : 0..3;
function next() : Num;
begin return x + 1; end;
startstate begin x := 0; end;
rule x < 3 ==> begin x := next(); end;
