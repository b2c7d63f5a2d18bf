-- E0403: a scalarset without elements
const N : 0;
type Node : scalarset(N);
var x : Node;
startstate begin undefine x; end;
