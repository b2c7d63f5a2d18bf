-- E0205: two fields of one name
var r : record
  a : boolean;
  b : 0..3;
  a : 0..3;
end;
startstate begin clear r; end;
