-- E0316: a multiset inside a multiset
var net : multiset [2] of multiset [2] of boolean;
startstate begin undefine net; end;
