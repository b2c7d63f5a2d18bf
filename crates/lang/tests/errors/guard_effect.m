-- W0206 W0206: a condition of a rule, and an invariant, that change the state
var x : 0..3;
function tick() : boolean;
begin x := (x + 1) % 4; return x = 0; end;
startstate begin x := 0; end;
rule tick() ==> begin x := 3; end;
invariant "odd" !tick();
