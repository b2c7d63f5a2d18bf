-- E0204: one word in two enums
type Light : enum { Red, Green };
     Apple : enum { Green, Yellow };
var a : Apple;
startstate begin a := Yellow; end;
