-- E0001: a comment of another language
var x : 0..3; // a counter
startstate begin x := 0; end;
