-- E0005: a number of 64 bits and no room for a sign
var x : 0..3;
startstate begin x := 0; end;
invariant x < 9223372036854775808;
