-- E0204: what is declared twice gives no further errors
var x : 0..3;
    x : boolean;
startstate begin x := 0; end;
rule x ==> begin x := false; end;
