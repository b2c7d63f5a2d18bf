-- E0112: a word of the language as a name
var to : boolean;
    x : 0..3;
startstate begin x := 0; end;
