const N: 3;
type P: scalarset(N);
 V: enum { None, Yes, No }; D: enum { Undecided, Commit, Abort };
var vote: array [P] of V; alive: array [P] of boolean; decision: array [P] of D; coord: D; go: D; abortflag: boolean;
startstate for p: P do vote[p] := None; alive[p] := true; decision[p] := Undecided; end; coord := Undecided; go := Undecided; abortflag := false; end;
ruleset p: P do
rule "vote yes" alive[p] & vote[p] = None ==> vote[p] := Yes; end;
rule "vote no" alive[p] & vote[p] = None ==> vote[p] := No; decision[p] := Abort; abortflag := true; end;
rule "fail" alive[p] ==> alive[p] := false; abortflag := true; end;
rule "decide" alive[p] & coord != Undecided ==> decision[p] := coord; end;
end;
rule "go commit" coord = Undecided & forall p: P do vote[p] = Yes end ==> coord := Commit; end;
rule "go abort" coord = Undecided & exists p: P do vote[p] = No | !alive[p] end ==> coord := Abort; end;
invariant "agree" forall a: P do forall b: P do !(decision[a] = Commit & decision[b] = Abort) end end;
invariant "commit" forall a: P do decision[a] = Commit -> forall b: P do vote[b] = Yes end end;
