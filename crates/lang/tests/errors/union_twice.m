-- E0318: one type twice in a union
type Node : scalarset(2);
var x : union { Node, boolean, Node };
startstate begin undefine x; end;
