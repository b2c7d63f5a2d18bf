-- token_mutex.m: mutual exclusion by a token.
--
-- Each process is in its non-critical section N, is trying (T), or is in its
-- critical section C. One global variable `tok` names the process that owns
-- the token: only that process may go from T to C, and on leaving C it hands
-- the token to an arbitrary process, itself included.
--
-- From: the synchronization skeleton in Fig. 1 of E. A. Emerson and T. Wahl,
-- "On Combining Symmetry Reduction and Symbolic Representation for Efficient
-- Model Checking" (CHARME 2003); written for Burnside. The skeleton does not
-- say who owns the token at first, so every process may.
--
-- Scale: N, the number of processes.
--   unreduced = 3 N 2^(N-1): the owner is in any of the three local states,
--               everybody else in N or T;
--   orbits    = 3 N: the local state of the owner, and the number of others in
--               T.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 36, orbits 9
-- burnside-states: N=2 unreduced 12, orbits 6
-- burnside-states: N=4 unreduced 96, orbits 12
-- burnside-states: N=6 unreduced 576, orbits 18
-- burnside-states: N=8 unreduced 3072, orbits 24

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

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(loc[p] = Critical & loc[q] = Critical)
    end
  end;

invariant "only the owner of the token is critical"
  forall p: Pid do
    loc[p] = Critical -> tok = p
  end;
