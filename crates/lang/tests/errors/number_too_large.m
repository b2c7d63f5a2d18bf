-- E0005: a number of more than 64 bits
var x : 0..99999999999999999999999;
startstate begin x := 0; end;
