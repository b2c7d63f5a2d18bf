-- E0507: 3 is not an element
type Pid : scalarset(3);
generator "turn" of Pid = (0 1 3);
startstate begin end;
