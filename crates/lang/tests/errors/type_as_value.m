-- E0209: a type as a value
type Node : 0..3;
var x : Node;
startstate begin x := Node; end;
