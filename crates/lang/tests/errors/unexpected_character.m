-- E0001: a character that has no meaning
var x : 0..3;
startstate begin x := $1; end;
