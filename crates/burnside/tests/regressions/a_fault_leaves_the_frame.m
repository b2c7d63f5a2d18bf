-- After an assume failed in a function the frame is that of the rule again.
-- expect: holds
var x: 0..9; y: 0..9;
function f(p: 0..9): boolean; begin assume p != 4; return true; end;
startstate begin x := 0; y := 0; end;
ruleset q: 1..3 do ruleset p: 3..5 do rule "r" f(p) ==> begin x := p; y := q; end; end; end;
