-- alternating_pair.m: two processes take turns, in one orbit.
--
-- All states are one orbit: somebody has the turn. In the quotient there is one
-- state and one step back to it, which exchanges the two processes. Who forgets
-- that it does concludes that one process has the turn for ever; who keeps only
-- one of several steps between two orbits misses that a run may go either way.
--
-- From: a trap for symmetry reduction of liveness, as old as SMC (A. P. Sistla and
-- E. A. Emerson, "Symmetry and model checking", 1996); written for Burnside.
--
-- Scale: none; Lazy = 1 lets the one who has the turn keep it.
--
-- burnside-constants: Lazy = 0
-- burnside-expect: holds
-- burnside-states: unreduced 2, orbits 1
-- burnside-states: Lazy=1 unreduced 2, orbits 1
-- burnside-ltl: holds "everybody has the turn again and again"
-- burnside-ltl: holds "nobody has it twice"
-- burnside-ctl: holds "the other is next"

const
  Lazy: 0;

type
  Pid: scalarset(2);

var
  turn: Pid;

ruleset p: Pid do
  startstate "somebody begins"
  begin
    turn := p;
  end;
end;

ruleset p: Pid; q: Pid do
  rule "pass the turn on"
    turn = p & (p != q | Lazy = 1)
  ==>
  begin
    turn := q;
  end;
end;

ltl "everybody has the turn again and again"
  forall p: Pid do G F turn = p end;

ltl "nobody has it twice"
  forall p: Pid do G (turn = p -> X turn != p) end;

ctl "the other is next"
  forall p: Pid do AG (turn = p -> AX AX turn = p) end;
