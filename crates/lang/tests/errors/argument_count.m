-- E0309: an argument too few
var x : 0..3;
function add(a, b : 0..3) : 0..3;
begin return (a + b) % 4; end;
startstate begin x := add(1); end;
