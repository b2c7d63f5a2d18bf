-- E0318: two ranges in a union
var x : union { 0..3, 4..7 };
startstate begin undefine x; end;
