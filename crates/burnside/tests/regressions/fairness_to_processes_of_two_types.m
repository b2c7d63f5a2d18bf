-- A run that is fair to processes of two types was not found again when it was executed.
-- expect: violated
type P: scalarset(2); D: scalarset(2);
var x: boolean; y: boolean;
startstate x := false; y := false; end;
ruleset p: P do rule "p" true ==> y := !y; end; end;
ruleset d: D do rule "d" true ==> y := !y; end; end;
ruleset p: P; d: D do rule "both" y ==> y := false; end; end;
fairness weak P;
fairness weak D;
ltl "c" F x;
