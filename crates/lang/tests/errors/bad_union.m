-- E0318: a union with a record
type Node : scalarset(2);
     Message : record kind : 0..3; end;
var x : union { Node, Message };
startstate begin undefine x; end;
