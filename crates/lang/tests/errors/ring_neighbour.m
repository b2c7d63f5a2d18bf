-- E0505: a scalarset has no neighbours
type Pid : scalarset(3);
var owner : Pid;
rule true ==> begin owner := next(owner); end;
startstate begin undefine owner; end;
