-- E0201: an unknown name is reported once, not at every use
var x : 0..3;
startstate begin x := LAST; end;
rule x = LAST ==> begin x := 0; end;
rule x < LAST ==> begin x := x + 1; end;
