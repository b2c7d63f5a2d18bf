-- E0203: a function called before its declaration
var x : 0..3;
startstate begin x := 0; end;
rule full() ==> begin x := 0; end;
function full() : boolean;
begin return x = 3; end;
