-- E0006: a name that begins with an underscore
var _x : 0..3;
    y : boolean;
startstate begin y := true; end;
