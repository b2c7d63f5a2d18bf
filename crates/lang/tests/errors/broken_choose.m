-- E0201 E0301: a wrong choose does not hide other mistakes
var net : multiset [3] of boolean;
    x : 0..3;
startstate begin undefine net; x := 0; end;
choose m : nets do
  rule begin multisetremove(m, net); x := true; end;
end;
