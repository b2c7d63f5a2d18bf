-- W0201: rules with priorities
var x : 0..3;
startstate begin x := 0; end;
rule 2 "up" x < 3 ==> begin x := x + 1; end;
rule 5 "reset" x = 3 ==> begin x := 0; end;
