-- E0501: the next element of a scalarset
type Node : scalarset(3);
var token : Node;
ruleset n : Node do
  startstate begin token := n; end;
end;
rule begin token := token + 1; end;
