-- W0103: a string that goes on in the next line
var x : 0..3;
startstate "all
zero" begin x := 0; end;
