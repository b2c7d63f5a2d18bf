-- E0502: order between elements of a scalarset
type Node : scalarset(3);
var token : Node;
ruleset n : Node do
  startstate begin token := n; end;
  rule token < n ==> begin token := n; end;
end;
