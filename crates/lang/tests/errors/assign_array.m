-- E0301: arrays of different sizes
var a : array [0..3] of boolean;
    b : array [0..2] of boolean;
startstate begin clear a; clear b; end;
rule begin a := b; end;
