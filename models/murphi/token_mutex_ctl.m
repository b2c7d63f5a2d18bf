-- token_mutex_ctl.m: what a token promises, in CTL.
--
-- The model of token_mutex.m, with properties of branching time. Somebody who
-- wants the critical section gets it, since only a process that leaves it can
-- keep others busy for ever. But not everybody does: whoever leaves may hand
-- the token to the same process again and again. A scheduler that is fair to
-- processes (`fairness weak Pid;`, or `strong`) does not help, since a process
-- without the token is not enabled. If the token comes to everybody again and
-- again, nobody starves:
--
--   ruleset p: Pid do fairness "the token comes round" tok = p; end;
--
-- From: as token_mutex.m. Written for Burnside.
--
-- Scale: N, the number of processes; states and orbits as in token_mutex.m.
--
-- burnside-constants: N = 3
-- burnside-expect: violated "nobody starves"
-- burnside-states: unreduced 36, orbits 9
-- burnside-ctl: holds "mutual exclusion for ever"
-- burnside-ctl: holds "somebody gets in"
-- burnside-ctl: violated "nobody starves"
-- burnside-ctl: holds "everybody may get in"
-- burnside-ctl: holds "the critical section is entered by trying"
-- burnside-ctl: holds "the token is kept until it is used"

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

ctl "mutual exclusion for ever"
  AG (forall p: Pid do forall q: Pid do
    p != q -> !(loc[p] = Critical & loc[q] = Critical)
  end end);

ctl "somebody gets in"
  AG ((exists p: Pid do loc[p] = Trying end) -> AF (exists p: Pid do loc[p] = Critical end));

ctl "nobody starves"
  forall p: Pid do AG (loc[p] = Trying -> AF loc[p] = Critical) end;

ctl "everybody may get in"
  forall p: Pid do AG EF loc[p] = Critical end;

ctl "the critical section is entered by trying"
  forall p: Pid do AG (loc[p] = Critical -> EP loc[p] = Trying) end;

ctl "the token is kept until it is used"
  forall p: Pid do AG (tok = p -> A [ tok = p W loc[p] = Critical ]) end;
