-- one member of an enum is special
type
  Node : enum { Home, Alice, Bob, Carol };
  Loc : enum { Idle, Trying, Critical };
var
  loc : array [Node] of Loc;
  owner : Node;
startstate
  for p : Node do loc[p] := Idle; end;
  undefine owner;
end;
ruleset p : Node do
  rule "try" loc[p] = Idle ==> loc[p] := Trying; end;
  rule "enter" loc[p] = Trying & isundefined(owner) ==> loc[p] := Critical; owner := p; end;
  rule "leave" loc[p] = Critical ==> loc[p] := Idle; undefine owner; end;
end;
rule "home" loc[Home] = Trying ==> loc[Home] := Critical; end;
invariant "mutual exclusion" forall p : Node do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
