-- E0105: an if without then
var x : 0..3;
startstate begin x := 0; end;
rule begin
  if x = 0
    x := 1;
  end;
end;
