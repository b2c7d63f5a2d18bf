-- Ranges as members of unions, compared with integers and with each other.
-- expect: holds
type U: union {5..8, enum {N}}; V: union {enum {M}, 7..9};
var u: U; v: V; x: 0..20; y: 6..7;
startstate begin x := 0; u := N; v := M; y := 6; end;
ruleset i: 5..8 do rule true ==> begin u := i; end; end;
rule ismember(u, 5..8) ==> begin y := 7; v := 7; end;
rule u = 7 & v = 7 ==> begin x := 1; u := N; end;
rule u = y ==> begin x := 2; end;
rule v = y ==> begin x := 3; v := M; end;
