-- E0506: elements of a ring are not subtracted from each other
type Node : ring(4);
var a : Node; b : Node;
rule a - b = a ==> begin end;
startstate begin undefine a; undefine b; end;
