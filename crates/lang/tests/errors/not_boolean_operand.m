-- E0302: a number among the conditions
var x : 0..3;
    b : boolean;
startstate begin x := 0; b := true; end;
invariant b & x + 1;
