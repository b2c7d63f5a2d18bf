-- E0115: two else
var x : 0..3;
startstate begin
  if true then x := 0;
  else x := 1;
  else x := 2;
  end;
end;
