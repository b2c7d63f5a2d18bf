-- E0405: a constant that leaves 64 bits
const BIG : 9223372036854775807 + 1;
var x : 0..3;
startstate begin x := 0; end;
