-- E0404: a loop that leads away from its end
var a : array [0..3] of boolean;
startstate begin
  for i := 3 to 0 by 1 do a[i] := false; end;
end;
