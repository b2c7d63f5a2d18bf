-- E0504 E0504 E0504 E0202: claims about types that cannot be claimed
type
  Proc : scalarset(3);
  Row : array [Proc] of boolean;
  Data : 0..1;
  Circle : ring(3);
symmetry Proc;
symmetry Circle;
symmetry Row, Data;
symmetry Nothing;
var symmetry : Data;
startstate symmetry := 0; end;
