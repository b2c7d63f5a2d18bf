-- E0506: a variable distance on a ring
type Node : ring(4);
var at : Node; far : 0..3;
rule true ==> begin at := at + far; end;
startstate begin undefine at; far := 1; end;
