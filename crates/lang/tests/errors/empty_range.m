-- E0402: bounds in the wrong order
const N : 0;
var x : 1..N;
startstate begin clear x; end;
