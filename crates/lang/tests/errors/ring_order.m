-- E0502: order between elements of a ring
type Node : ring(4);
var a : Node; b : Node;
rule a < b ==> begin end;
startstate begin undefine a; undefine b; end;
