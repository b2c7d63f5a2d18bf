-- E0315: a choice between a number and a word
type Light : enum { Red, Green };
var x : 0..3;
startstate begin x := true ? 1 : Red; end;
