-- E0201: a misspelt variable
var counter : 0..3;
startstate begin countr := 0; end;
