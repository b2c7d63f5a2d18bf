-- E0201: a wrong argument is not also a wrong type
var x : 0..3;
function next(n : 0..3) : 0..3;
begin return (n + 1) % 4; end;
startstate begin x := next(y); end;
