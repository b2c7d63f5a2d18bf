-- E0602: an assignment to a parameter without var
var x : 0..3;
procedure reset(n : 0..3);
begin n := 0; end;
startstate begin x := 0; reset(x); end;
