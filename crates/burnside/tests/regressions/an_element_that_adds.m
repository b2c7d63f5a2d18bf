-- A function in the element of multisetadd adds to the same multiset.
-- expect: violated
type I: 0..3;
var m: multiset [3] of I; x: I;
function f(): I; begin multisetadd(2, m); return 1; end;
startstate begin x := 0; undefine m; end;
rule x = 0 ==> begin multisetadd(f(), m); x := 1; end;
rule x = 1 ==> begin x := 1; end;
invariant x = 0;
