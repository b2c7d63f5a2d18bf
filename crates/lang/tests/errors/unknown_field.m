-- E0206: a field that the record does not have
type Message : record kind : 0..3; from, dest : 0..1; end;
var m : Message;
startstate begin m.kind := 0; m.to_whom := 1; end;
