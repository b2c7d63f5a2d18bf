-- E0503: the index of a multiset as a number
var net : multiset [3] of 0..1;
    x : 0..3;
startstate begin undefine net; x := 0; end;
choose m : net do
  rule begin x := m; end;
end;
