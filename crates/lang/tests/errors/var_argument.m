-- E0606: a sum for a var parameter
var x : 0..3;
procedure reset(var n : 0..3);
begin n := 0; end;
startstate begin reset(x + 1); end;
