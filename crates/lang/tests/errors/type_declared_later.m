-- E0202: a type used before its declaration
var owner : Proc;
type Proc : scalarset(3);
startstate begin undefine owner; end;
