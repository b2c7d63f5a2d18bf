-- E0605: a comparison with undefined
var x : 0..3;
startstate begin x := undefined; end;
invariant x != undefined;
