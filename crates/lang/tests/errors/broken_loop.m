-- E0202: a wrong loop does not hide its variable
var a : array [0..3] of boolean;
startstate
begin
  for i : Index do a[i] := false; end;
end;
