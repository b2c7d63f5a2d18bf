-- E0312: a rule that returns a value
var x : 0..3;
startstate begin x := 0; end;
rule begin return x + 1; end;
