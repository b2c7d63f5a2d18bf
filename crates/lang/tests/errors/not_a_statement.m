-- E0113: a name alone
var x : 0..3;
startstate begin x; end;
