-- E0303: arithmetic on booleans
var b : boolean;
    x : 0..3;
startstate begin b := true; x := b + 1; end;
