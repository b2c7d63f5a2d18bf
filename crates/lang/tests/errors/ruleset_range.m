-- E0401: a rule's parameter up to a variable
var n : 0..3;
startstate begin n := 0; end;
ruleset i := 0 to n do
  rule i > 0 ==> begin n := i; end;
end;
