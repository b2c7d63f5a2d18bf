-- E0501: other arithmetic on a ring
type Node : ring(4);
var a : Node;
rule true ==> begin a := a * 2; end;
startstate begin undefine a; end;
