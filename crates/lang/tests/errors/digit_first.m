-- E0004: a name that begins with a digit
var x : 0..3;
    2nd : boolean;
startstate begin x := 0; end;
