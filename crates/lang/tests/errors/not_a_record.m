-- E0307: a field of a number
var x : 0..3;
startstate begin x.value := 0; end;
