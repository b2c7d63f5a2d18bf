-- E0107: = where := is meant
var x : 0..3;
startstate begin x = 0; end;
