-- E0604: a condition that changes the state
var x : 0..3;
function tick() : boolean;
begin x := (x + 1) % 4; return x = 0; end;
startstate begin x := 0; end;
rule true ==> begin x := 3; end;
cover "never" tick();
