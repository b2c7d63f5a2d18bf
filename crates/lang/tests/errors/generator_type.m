-- E0504: a permutation of records
type Pair : record a : boolean; end;
generator "swap" of Pair = (0 1);
startstate begin end;
