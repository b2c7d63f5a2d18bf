-- E0114: a variable declared among the statements
var x : 0..3;
startstate begin
  x := 0;
  var y : 0..3;
  y := x;
end;
