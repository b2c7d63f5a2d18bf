-- E0103: the end of another kind of block
var x : 0..3;
startstate begin
  for i : 0..3 do
    x := i;
  endwhile;
end;
