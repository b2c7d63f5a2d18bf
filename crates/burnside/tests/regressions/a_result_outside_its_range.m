-- A function returns a value outside its declared range.
-- expect: violated
var x: 0..20;
function f(): 0..3; begin return 9; end;
startstate begin x := 0; end;
rule true ==> begin alias v: f() do if v < 4 then x := 1 - x; else error "outside"; end; end; end;
