-- E0108: := where = is meant
var x : 0..3;
startstate begin x := 0; end;
rule begin
  if x := 3 then x := 0; end;
end;
