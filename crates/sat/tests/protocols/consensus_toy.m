const N: 3; M: 3; K: 2;
type Node: scalarset(N); Quorum: scalarset(M); Value: scalarset(K);
var member: array [Node] of array [Quorum] of boolean;
 voted: array [Node] of boolean; vote: array [Node] of array [Value] of boolean; decided: array [Value] of boolean;
startstate
 for n: Node do for q: Quorum do member[n][q] := true; end; voted[n] := false; for v: Value do vote[n][v] := false; end; end;
 for v: Value do decided[v] := false; end; end;
ruleset n: Node; v: Value do rule "vote" !voted[n] ==> voted[n] := true; vote[n][v] := true; end; end;
ruleset q: Quorum; v: Value do rule "decide" forall n: Node do member[n][q] -> vote[n][v] end ==> decided[v] := true; end; end;
invariant "agreement" forall v: Value do forall w: Value do decided[v] & decided[w] -> v = w end end;
