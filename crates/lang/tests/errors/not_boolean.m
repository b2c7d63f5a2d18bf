-- E0302: a number as a condition
var x : 0..3;
startstate begin x := 0; end;
rule x ==> begin x := 0; end;
