-- E0503: a number as the index of a multiset
var net : multiset [3] of 0..1;
startstate begin undefine net; end;
rule begin multisetremove(0, net); end;
