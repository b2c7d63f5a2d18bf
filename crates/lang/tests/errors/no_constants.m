-- E0207: an override in a model without constants (-D N=3)
var x : 0..3;
startstate begin x := 0; end;
