-- a scalarset whose loop depends on the order
type
  Proc : scalarset(3);
var
  owner : Proc;
  on : array [Proc] of boolean;
startstate
  undefine owner;
  for p : Proc do on[p] := false; end;
end;
ruleset p : Proc do
  rule "on" !on[p] ==> on[p] := true; end;
end;
rule "elect" true ==> for p : Proc do if on[p] then owner := p; end; end; end;
