const N: 3;
type Client: scalarset(N);
var link: array [Client] of boolean; semaphore: boolean;
startstate for c: Client do link[c] := false; end; semaphore := true; end;
ruleset c: Client do
rule "connect" semaphore ==> link[c] := true; semaphore := false; end;
rule "disconnect" link[c] ==> link[c] := false; semaphore := true; end;
end;
invariant "one" forall a: Client do forall b: Client do link[a] & link[b] -> a = b end end;
