-- E0308: an element of another type
var net : multiset [3] of 0..1;
startstate begin undefine net; multisetadd(true, net); end;
