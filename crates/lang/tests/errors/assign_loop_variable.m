-- E0602: an assignment to a loop's variable
var a : array [0..3] of boolean;
startstate begin
  for i : 0..3 do
    a[i] := false;
    i := i + 1;
  end;
end;
