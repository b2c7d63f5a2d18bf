-- E0305: an index of another type
type Node : scalarset(3);
var owner : array [Node] of boolean;
startstate begin owner[0] := true; end;
