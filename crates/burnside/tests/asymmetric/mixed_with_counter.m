-- an id is stored in a counter
type
  Proc : 0..3;
  Loc : enum { Idle, Trying, Critical };
var
  loc : array [Proc] of Loc;
  owner : Proc;
  last : 0..40;
startstate
  for p : Proc do loc[p] := Idle; end;
  undefine owner; last := 0;
end;
ruleset p : Proc do
  rule "try" loc[p] = Idle ==> loc[p] := Trying; end;
  rule "enter" loc[p] = Trying & isundefined(owner) ==> loc[p] := Critical; owner := p; end;
  rule "leave" loc[p] = Critical ==> loc[p] := Idle; undefine owner; end;
end;
ruleset p : Proc do rule "note" loc[p] = Critical ==> last := p; end; rule "bump" last < 40 ==> last := last + 1; end; end;
invariant "mutual exclusion" forall p : Proc do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
