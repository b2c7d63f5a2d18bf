-- E0304: ismember of a type that is not in the union
type Node : scalarset(2);
     Memory : enum { Home };
     Other : enum { Away };
var x : union { Node, Memory };
startstate begin x := Home; end;
invariant ismember(x, Other);
