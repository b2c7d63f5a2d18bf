-- Which fault is met first depends on the order of the elements.
-- expect: violated
type Pid: scalarset(2);
var a: array [Pid] of boolean; u, v: 0..1; s: 0..1;
startstate for p: Pid do a[p] := false; end; s := 0; end;
ruleset p: Pid do rule "set" s = 0 ==> a[p] := true; s := 1; end; end;
ruleset p: Pid do invariant s = 1 -> (a[p] ? u = 0 : v = 0); end;
