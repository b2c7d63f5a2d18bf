-- E0603: a liveness property among the statements
var x : 0..3;
startstate begin
  x := 0;
  liveness "full" x = 3;
end;
