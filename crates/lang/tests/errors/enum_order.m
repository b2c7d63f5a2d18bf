-- E0303: order between enum members
type Light : enum { Red, Green };
var x : Light;
startstate begin x := Red; end;
invariant x < Green;
