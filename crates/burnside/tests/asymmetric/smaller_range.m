-- a smaller range of the same ids
type
  Proc : 0..3;
  Loc : enum { Idle, Trying, Critical };
var
  loc : array [Proc] of Loc;
  owner : Proc;
startstate
  for p : Proc do loc[p] := Idle; end;
  undefine owner;
end;
ruleset p : Proc do
  rule "try" loc[p] = Idle ==> loc[p] := Trying; end;
  rule "enter" loc[p] = Trying & isundefined(owner) ==> loc[p] := Critical; owner := p; end;
  rule "leave" loc[p] = Critical ==> loc[p] := Idle; undefine owner; end;
end;
ruleset p : 0..1 do rule "young" loc[p] = Trying ==> loc[p] := Critical; end; end;
invariant "mutual exclusion" forall p : Proc do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
