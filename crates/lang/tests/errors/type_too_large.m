-- E0801: an array with too many elements
var a : array [0..9999999] of boolean;
startstate begin clear a; end;
