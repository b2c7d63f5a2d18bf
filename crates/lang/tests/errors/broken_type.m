-- E0202: a wrong type is reported once, not at every use
type Message : record kind : Kind; from : 0..1; end;
var m : Message;
    net : array [0..1] of Message;
startstate begin m.kind := 0; net[0] := m; end;
invariant m.kind = 0 & net[1].from = 0;
