-- E0401: a variable as a bound
var n : 0..3;
    a : array [0..n] of boolean;
startstate begin n := 0; end;
