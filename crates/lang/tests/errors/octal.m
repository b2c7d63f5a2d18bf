-- W0102: an octal number
var x : 0..010;
startstate begin x := 0; end;
