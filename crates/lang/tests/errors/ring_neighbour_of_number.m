-- E0505: a number has no neighbours
var x : 0..3;
rule true ==> begin x := prev(x); end;
startstate begin x := 0; end;
