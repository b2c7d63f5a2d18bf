-- E0403: a ring of nothing
type Node : ring(0);
startstate begin end;
