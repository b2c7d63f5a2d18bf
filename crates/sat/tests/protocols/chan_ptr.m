-- messages with ids in arrays
const N: 3;
type P: scalarset(N); C: enum { None, Req, Grant };
 Msg: record cmd: C; from: P; end;
var net: array [P] of Msg; holder: P; held: boolean; crit: array [P] of boolean;
startstate for p: P do net[p].cmd := None; undefine net[p].from; crit[p] := false; end; undefine holder; held := false; end;
ruleset p: P do
rule "req" net[p].cmd = None & !crit[p] ==> net[p].cmd := Req; net[p].from := p; end;
rule "grant" net[p].cmd = Req & !held ==> net[p].cmd := Grant; holder := net[p].from; held := true; end;
rule "take" net[p].cmd = Grant ==> net[p].cmd := None; undefine net[p].from; crit[p] := true; end;
rule "rel" crit[p] ==> crit[p] := false; held := false; undefine holder; end;
end;
invariant "mutex" forall p: P do forall q: P do crit[p] & crit[q] -> p = q end end;
invariant "from" forall p: P do net[p].cmd != None -> net[p].from = p end;
