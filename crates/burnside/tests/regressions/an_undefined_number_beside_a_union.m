-- A number without a value was taken to differ from a union's value that is no number.
-- expect: violated
type K : 0 .. 1; E : enum { Ea, Eb }; U : union { E, K };
var u : U; w : K; b : boolean;
startstate u := Eb; b := false; end;
rule "compare" true ==> b := u != w; end;
