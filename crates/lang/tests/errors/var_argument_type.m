-- E0606: a variable of another type for a var parameter
var x : 0..4;
procedure reset(var n : 0..3);
begin n := 0; end;
startstate begin reset(x); end;
