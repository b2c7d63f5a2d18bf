-- E0309: two arguments for `next`
type Node : ring(4);
var a : Node;
rule true ==> begin a := next(a, 2); end;
startstate begin undefine a; end;
