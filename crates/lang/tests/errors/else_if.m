-- E0102: else if where elsif is meant
var x : 0..3;
startstate begin x := 0; end;
rule "step" begin
  if x = 0 then x := 1;
  else if x = 1 then x := 2;
  else x := 0;
  end;
end;
rule "reset" x = 3 ==> begin x := 0; end;
