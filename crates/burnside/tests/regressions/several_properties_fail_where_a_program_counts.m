-- The program that counts lost an error where several liveness properties fail.
-- expect: violated
type Pid: scalarset(3);
var g: Pid; a: array [Pid] of boolean;
startstate undefine g; for p: Pid do a[p] := false; end; end;
ruleset p: Pid do rule "flip" true ==> a[p] := !a[p]; end; end;
liveness "faulty" a[g];
liveness "never" !isundefined(g);
