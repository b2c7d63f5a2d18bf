-- Counting by diagrams ended with an internal error where an invariant is undefined in some states and false in others.
-- expect: violated
type Pid: scalarset(3);
var g: Pid; a: array [Pid] of boolean;
ruleset p: Pid do startstate g := p; end; end;
ruleset p: Pid do rule "set" true ==> a[p] := true; end; end;
invariant "I" !a[g];
