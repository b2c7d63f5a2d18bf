-- Violations beyond --max-errors in the last level were forgotten, and the property then held.
-- expect: violated
var x: boolean;
startstate "a" x := false; end;
startstate "b" x := true; end;
rule "wrong" x ==> assert false; end;
