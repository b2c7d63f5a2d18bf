-- E0304: a number compared with a word
type Light : enum { Red, Green };
var x : 0..3;
startstate begin x := 0; end;
invariant x = Red;
