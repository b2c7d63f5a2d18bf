-- A wrong claim beside a generator of the same type made the generator "verified" with representatives on the fly.
-- expect: violated
type P: 0..1;
var t: P; s: 0..2;
symmetry P;
generator "swap" of P = (0 1);
startstate t := 0; s := 0; end;
rule "flip" s = 0 ==> t := 1; s := 1; end;
rule "back" s = 1 ==> s := 0; end;
ruleset p: P do rule "bad" s = 0 & p = 1 & t = p ==> s := 2; end; end;
invariant "never" s != 2;
