-- An assume that fails in an alias around a rule disables that instance only.
-- expect: violated
var x: 0..9;
function f(p: 0..3): 0..9; begin assume p != 1; return p; end;
startstate begin x := 0; end;
ruleset p: 0..3 do alias v: f(p) do rule "r" begin x := v; end; end; end;
rule begin x := 9 - x; end;
invariant x != 3;
