-- E0304: a case of another type
type Light : enum { Red, Green };
var x : Light;
startstate begin x := Red; end;
rule begin
  switch x
    case Red: x := Green;
    case 1: x := Red;
  end;
end;
