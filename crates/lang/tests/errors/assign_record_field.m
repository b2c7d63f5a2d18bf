-- E0301: a wrong value deep inside a record
type Node : scalarset(2);
     Message : record dest : Node; hops : 0..3; end;
var net : array [Node] of Message;
startstate begin clear net; end;
ruleset n : Node do
  rule begin net[n].dest := net[n].hops; end;
end;
