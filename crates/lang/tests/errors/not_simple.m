-- E0314: a whole record as an index
type Message : record kind : 0..3; end;
var x : 0..3;
    m : Message;
    a : array [0..3] of boolean;
startstate begin clear m; x := 0; clear a; a[m] := true; end;
