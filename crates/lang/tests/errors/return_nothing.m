-- E0313: a function that returns no value
var x : 0..3;
function next() : 0..3;
begin
  if x = 3 then return; end;
  return x + 1;
end;
startstate begin x := 0; end;
