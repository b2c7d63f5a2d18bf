-- E0202: a misspelt type
type Node : scalarset(3);
var owner : Nod;
startstate begin undefine owner; end;
