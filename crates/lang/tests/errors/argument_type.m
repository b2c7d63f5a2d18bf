-- E0308: an argument of another type
var x : 0..3;
function next(n : 0..3) : 0..3;
begin return (n + 1) % 4; end;
startstate begin x := next(true); end;
