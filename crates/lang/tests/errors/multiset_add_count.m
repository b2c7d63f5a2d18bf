-- E0309: multisetadd with one argument
var net : multiset [3] of 0..1;
startstate begin undefine net; multisetadd(net); end;
