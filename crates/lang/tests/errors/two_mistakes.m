-- E0201 E0301: two independent mistakes
var x : 0..3;
startstate begin
  x := y;
  x := false;
end;
