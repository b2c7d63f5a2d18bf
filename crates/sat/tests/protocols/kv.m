const N: 3; K: 2; V: 2;
type Node: scalarset(N); Key: scalarset(K); Val: scalarset(V);
var owner: array [Node] of array [Key] of boolean; tab: array [Node] of array [Key] of Val; has: array [Node] of array [Key] of boolean;
 msg: array [Node] of array [Key] of record full: boolean; v: Val; end;
startstate for n: Node do for k: Key do owner[n][k] := false; undefine tab[n][k]; has[n][k] := false; msg[n][k].full := false; undefine msg[n][k].v; end; end; end;
ruleset n: Node; k: Key do
rule "claim" forall m: Node do !owner[m][k] & !msg[m][k].full end ==> owner[n][k] := true; end;
rule "recv" msg[n][k].full ==> tab[n][k] := msg[n][k].v; has[n][k] := true; owner[n][k] := true; msg[n][k].full := false; undefine msg[n][k].v; end;
end;
ruleset n: Node; k: Key; v: Val do
rule "put" owner[n][k] ==> tab[n][k] := v; has[n][k] := true; end; end;
ruleset n: Node; m: Node; k: Key do
rule "reshard" n != m & owner[n][k] & has[n][k] ==> owner[n][k] := false; has[n][k] := false; msg[m][k].full := true; msg[m][k].v := tab[n][k]; undefine tab[n][k]; end;
end;
invariant "one owner" forall n: Node do forall m: Node do forall k: Key do owner[n][k] & owner[m][k] -> n = m end end end;
invariant "table" forall n: Node do forall k: Key do has[n][k] -> owner[n][k] end end;
