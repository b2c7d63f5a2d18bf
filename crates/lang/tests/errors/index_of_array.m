-- E0317: an array indexed by records
type Message : record kind : 0..3; end;
var seen : array [Message] of boolean;
startstate begin clear seen; end;
