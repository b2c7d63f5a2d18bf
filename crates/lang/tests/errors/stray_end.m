-- E0104: an end too many
var x : 0..3;
startstate begin
  x := 0;
end;
end;
rule x < 3 ==> begin x := x + 1; end;
