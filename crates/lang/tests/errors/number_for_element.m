-- E0301: a number for an element of a scalarset
type Node : scalarset(3);
var token : Node;
startstate begin token := 0; end;
