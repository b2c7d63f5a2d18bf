-- E0113: an expression as a statement
var x : 0..3;
startstate begin x := 0; end;
rule x < 3 ==> begin x + 1; end;
