-- E0606: a loop's variable for a var parameter
var x : 0..3;
procedure reset(var n : 0..3);
begin n := 0; end;
startstate begin
  x := 0;
  for i : 0..3 do reset(i); end;
end;
