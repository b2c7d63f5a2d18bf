-- E0312: a procedure that returns a value
var x : 0..3;
procedure reset();
begin x := 0; return x; end;
startstate begin reset(); end;
