-- An assume that fails in a function called by a guard disables that instance only.
-- expect: violated
var x: 0..9; y: 0..9;
function f(p: 0..9; d: 0..9): boolean; begin assume p != 4; return true; end;
startstate begin x := 0; y := 0; end;
ruleset q: 1..3 do ruleset p: 3..5 do rule "r" f(p, 0) ==> begin x := p; y := q; end; end; end;
invariant !(x = 5 & y = 2);
