-- E0209: a variable as a type
var x : 0..3;
    y : x;
startstate begin x := 0; end;
