-- E0314: a loop over all values of a record
type Message : record kind : 0..3; end;
var x : 0..3;
startstate begin
  for m : Message do x := m.kind; end;
end;
