-- The right side of a sum changes the index of its target.
-- expect: violated
type P: scalarset(2); A: 0..1;
var a: array [A] of 0..2; c: array [P] of boolean; q: P; s: 0..2;
function f(var i: A): boolean; begin i := 1; return true; end;
startstate begin for k: A do a[k] := 0; end; for p: P do c[p] := false; end; undefine q; s := 0; end;
ruleset p: P do rule "set" isundefined(q) ==> begin c[p] := true; q := p; end; end;
rule "go" s = 0 & !isundefined(q) ==> var i: A; begin
  for p: P do
    i := 0;
    if c[p] then a[0] := a[0] + 1; else a[i] := a[i] + (f(i) ? 0 : 0); end;
  end;
  s := 1;
end;
rule "t" s > 0 ==> begin s := 3 - s; end;
invariant a[1] = 0;
