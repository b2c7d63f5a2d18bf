-- E0202: a wrong function is reported once, not at every call
var x : 0..3;
function next(n : Num) : 0..3;
begin return (n + 1) % 4; end;
startstate begin x := next(0); x := next(next(1)); end;
