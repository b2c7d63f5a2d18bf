-- E0208: an override that is not one of the enum (-D FIRST=Blue)
type Light : enum { Red, Green };
const FIRST : Red;
var x : Light;
startstate begin x := FIRST; end;
