-- E0201: a constant that is not there
type Node : 0..N-1;
var x : Node;
startstate begin x := 0; end;
