-- E0003: a comment that is never closed
var x : 0..3;
startstate begin x := 0; end;
/* The rules follow.
rule x < 3 ==> begin x := x + 1; end;
