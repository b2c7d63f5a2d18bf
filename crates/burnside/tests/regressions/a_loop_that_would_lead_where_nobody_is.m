-- The program that counts set a wrong counter where a loop would move elements to a local state that is never reached.
-- expect: violated
type
  Q : scalarset(2);
var
  on : array [Q] of boolean;
  x, y : Q;
  s : 0 .. 2;
ruleset q : Q do startstate
  for i : Q do on[i] := false; end;
  x := q; y := q; s := 0;
end; end;
rule "all off" s = 0 ==> for i : Q do on[i] := false; end; s := 1; end;
rule "all on" s = 1 & (forall i : Q do !on[i] end) ==> for i : Q do on[i] := true; end; s := 2; end;
ruleset q : Q do rule "part" s = 2 ==> y := q; end; end;
invariant "together" x = y;
