-- a function returns a constant id
type
  Proc : 0..3;
  Loc : enum { Idle, Trying, Critical };
var
  loc : array [Proc] of Loc;
  owner : Proc;
function boss() : Proc;
begin
  if isundefined(owner) then return 3; end;
  return owner;
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
rule "boss" true ==> loc[boss()] := Idle; end;
invariant "mutual exclusion" forall p : Proc do loc[p] = Critical -> (!isundefined(owner) & owner = p) end;
