-- Fairness to P was taken for fairness to D, which has the same values.
-- expect: violated
type P: 0..1; D: 0..1;
var x: boolean; y: array [D] of boolean;
startstate x := false; for d: D do y[d] := false; end; end;
ruleset p: P do rule "p" true ==> x := !x; end; end;
ruleset d: D do rule "d" true ==> y[d] := !y[d]; end; end;
fairness strong P;
ltl "c" forall d: D do G F y[d] end;
