-- E0203: a function that is not there
var x : 0..3;
startstate begin reset(); end;
