-- E0009: a comment in another encoding
-- café
var x : 0..3;
startstate begin x := 0; end;
