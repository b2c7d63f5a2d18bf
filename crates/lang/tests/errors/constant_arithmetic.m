-- E0405: a constant divided by zero
const N : 4;
      HALF : N / (N - 4);
var x : 0..HALF;
startstate begin x := 0; end;
