-- E0801: variables that are too large together
type Big : array [0..999999] of boolean;
var a : Big;
    b : Big;
startstate begin clear a; clear b; end;
