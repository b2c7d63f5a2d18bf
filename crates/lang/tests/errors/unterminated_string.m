-- E0002: a string without its closing quote
var x : 0..3;
startstate "start
begin x := 0; end;
rule x < 3 ==> begin x := x + 1; end;
