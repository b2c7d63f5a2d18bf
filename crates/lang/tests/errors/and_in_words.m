-- E0110: the operator of another language
var x : 0..3;
startstate begin x := 0; end;
rule x > 0 and x < 3 ==> begin x := 0; end;
