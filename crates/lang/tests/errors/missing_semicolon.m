-- E0109: two statements without a semicolon
var x, y : 0..3;
startstate begin
  x := 0
  y := 0;
end;
