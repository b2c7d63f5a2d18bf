-- E0304: an element of a scalarset compared with a number
type Node : scalarset(3);
var token : Node;
startstate begin undefine token; end;
invariant token = 1;
