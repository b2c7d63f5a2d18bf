-- E0106: a loop without do
var a : array [0..3] of boolean;
startstate begin
  for i : 0..3
    a[i] := false;
  end;
end;
