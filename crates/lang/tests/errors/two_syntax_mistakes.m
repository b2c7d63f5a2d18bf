-- E0107 E0105: two independent mistakes of syntax
var x : 0..3;
startstate begin x = 0; end;
rule begin
  if x = 0 x := 1; end;
end;
