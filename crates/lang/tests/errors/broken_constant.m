-- E0201: a wrong constant is reported once, also if it is given outside (-D N=4)
const N : M + 1;
var a : array [0..N] of boolean;
startstate
begin
  for i := 0 to N do a[i] := false; end;
end;
