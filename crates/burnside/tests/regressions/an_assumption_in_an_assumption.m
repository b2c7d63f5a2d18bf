-- An assume that fails in a function called by a top-level assume drops that state only.
-- expect: violated
var x: 0..9; y: 0..9;
function f(v: 0..9): boolean; begin assume v != 3; return true; end;
startstate begin x := 0; y := 0; end;
ruleset p: 1..4 do rule "r" x = 0 ==> begin x := p; y := p; end; end;
rule "stay" x != 0 ==> begin x := 0; end;
assume f(y);
invariant x != 4;
