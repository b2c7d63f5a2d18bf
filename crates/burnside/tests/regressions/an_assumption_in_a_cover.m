-- An assume that fails in a condition satisfies neither cover nor liveness.
-- expect: violated
var x: 0..3;
function f(): boolean; begin assume false; return false; end;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
cover "never true" f();
liveness "never true" f();
