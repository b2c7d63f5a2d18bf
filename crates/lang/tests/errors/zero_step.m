-- E0404: a loop that never ends
var a : array [0..3] of boolean;
startstate begin
  for i := 0 to 3 by 0 do a[i] := false; end;
end;
