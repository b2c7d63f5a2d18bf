-- E0007: the type of real numbers
var x : real(4, 2);
startstate begin x := 0; end;
