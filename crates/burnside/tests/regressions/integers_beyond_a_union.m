-- An integer that is compared with a union need not be in its range.
-- expect: holds
type U : union { 5 .. 8, enum { N } };
var u : U; x : 0 .. 20; y : -3 .. 6;
startstate u := N; x := 4; y := -3; end;
ruleset i : 5 .. 8 do rule u := i; end; end;
ruleset i : 4 .. 9 do rule x := i; end; end;
ruleset i : -3 .. 6 do rule y := i; end; end;
rule "both" u = x & y = u ==> assert x = y & 5 <= x & x <= 6; end;
invariant "beyond" (x < 5 | 8 < x) -> u != x;
invariant "sum" u = x -> u != x + 1 & x + 0 = u;
cover "met" u = x & u = y;
