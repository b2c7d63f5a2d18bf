-- E0302: a number and a condition joined by &
var x : 0..3;
    b : boolean;
startstate begin x := 0; b := true; end;
invariant x & b;
