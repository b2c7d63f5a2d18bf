-- E0301: a number for an element of a ring
type Node : ring(4);
var a : Node;
startstate begin a := 0; end;
