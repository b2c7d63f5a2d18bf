-- E0009: a name in another encoding; in a comment it would be accepted
var café : 0..3;
startstate begin café := 0; end;
