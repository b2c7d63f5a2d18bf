-- E0202 E0201: a wrong quantifier does not declare its variable outside
var a : array [0..3] of boolean;
startstate begin clear a; end;
invariant (forall i : Index do a[i] end) & a[i];
