-- E0102: an if without its end
var x : 0..3;
startstate begin x := 0; end;
rule "step" begin
  if x < 3 then
    x := x + 1;
end;
rule "reset" x = 3 ==> begin x := 0; end;
