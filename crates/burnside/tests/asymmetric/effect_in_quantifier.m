-- a quantifier with an effect
type
  Proc : 0..3;
  Loc : enum { Idle, Trying, Critical };
var
  loc : array [Proc] of Loc;
  owner : Proc;
function try(p : Proc) : boolean;
begin
  if loc[p] = Idle then loc[p] := Trying; return true; end;
  return false;
end;
startstate
  for p : Proc do loc[p] := Idle; end;
  undefine owner;
end;
ruleset p : Proc do
  rule "try" loc[p] = Idle ==> loc[p] := Trying; end;
  rule "enter" loc[p] = Trying & isundefined(owner) ==> loc[p] := Critical; owner := p; end;
  rule "leave" loc[p] = Critical ==> loc[p] := Idle; undefine owner; end;
end;
rule "one tries" true ==> if exists p : Proc do try(p) end then undefine owner; end; end;
invariant "mutual exclusion" forall p : Proc do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
