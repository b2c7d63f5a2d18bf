-- E0503: the index of another multiset
var net : multiset [3] of 0..1;
    log : multiset [2] of boolean;
startstate begin undefine net; undefine log; end;
choose m : net do
  rule begin multisetremove(m, log); end;
end;
