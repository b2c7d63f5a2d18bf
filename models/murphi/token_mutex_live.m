-- token_mutex_live.m: nobody starves if the token comes round.
--
-- The model of token_mutex.m, for runs in which everybody has the token again and
-- again. Somebody who wants the critical section gets it even otherwise; that
-- everybody does needs the constraint, and no fairness to processes is as good: a
-- process without the token can do nothing.
--
-- From: as token_mutex.m. Written for Burnside.
--
-- Scale: N, the number of processes; states and orbits as in token_mutex.m.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 36, orbits 9
-- burnside-ltl: holds "nobody starves"
-- burnside-ltl: holds "somebody gets in"
-- burnside-ctl: holds "nobody starves, whatever happens"

const
  N: 3;

type
  Pid: scalarset(N);
  Location: enum { NonCritical, Trying, Critical };

var
  loc: array [Pid] of Location;
  tok: Pid;                      -- the owner of the token

ruleset owner: Pid do
  startstate "all non-critical"
  begin
    for p: Pid do
      loc[p] := NonCritical;
    end;
    tok := owner;
  end;
end;

ruleset p: Pid do
  rule "try"
    loc[p] = NonCritical
  ==>
  begin
    loc[p] := Trying;
  end;

  rule "enter"
    loc[p] = Trying & tok = p
  ==>
  begin
    loc[p] := Critical;
  end;
end;

ruleset p: Pid; heir: Pid do
  rule "leave"
    loc[p] = Critical
  ==>
  begin
    loc[p] := NonCritical;
    tok := heir;
  end;
end;

ruleset p: Pid do
  fairness "the token comes round" tok = p;
end;

ltl "nobody starves"
  forall p: Pid do G (loc[p] = Trying -> F loc[p] = Critical) end;

ltl "somebody gets in"
  G ((exists p: Pid do loc[p] = Trying end) -> F (exists p: Pid do loc[p] = Critical end));

ctl "nobody starves, whatever happens"
  forall p: Pid do AG (loc[p] = Trying -> AF loc[p] = Critical) end;
