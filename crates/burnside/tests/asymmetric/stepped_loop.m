-- a loop over some numbers
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
rule "all" true ==> for i := 0 to 2 by 2 do loc[i] := Idle; end; end;
invariant "mutual exclusion" forall p : Proc do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
