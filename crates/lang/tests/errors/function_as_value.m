-- E0209: a function without its parentheses
var x : 0..3;
function full() : boolean;
begin return x = 3; end;
startstate begin x := 0; end;
rule full ==> begin x := 0; end;
