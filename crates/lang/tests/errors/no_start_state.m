-- W0202: a model without a start state
var x : 0..3;
rule x < 3 ==> begin x := x + 1; end;
