-- E0101: a sequence that every state begins
var x : 0..2;
startstate x := 0; end;
rule x := (x + 1) % 3; end;
never "nothing" { x = 0[*] };
