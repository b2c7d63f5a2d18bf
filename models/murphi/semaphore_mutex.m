-- semaphore_mutex.m: mutual exclusion by a binary semaphore, with local state
-- spaces of any size.
--
-- Each process walks through the local states 1, 2, ..., L in this order and
-- then returns to 1. State L - 1 is the trying region and L the critical
-- section; the step into L takes a binary semaphore, which the step from L
-- back to 1 releases.
--
-- From: the first example in Section 6 of E. A. Emerson and T. Wahl, "On
-- Combining Symmetry Reduction and Symbolic Representation for Efficient Model
-- Checking" (CHARME 2003); written for Burnside.
--
-- Scale: N, the number of processes, and L >= 3, the number of local states.
--   unreduced = (L-1)^N + N (L-1)^(N-1): nobody in L, or exactly one process;
--   orbits    = C(N+L-2, N) + C(N+L-3, N-1): the same, as multisets.
--
-- burnside-constants: N = 4, L = 4
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 189, orbits 25
-- burnside-states: N=2, L=3 unreduced 8, orbits 5
-- burnside-states: N=3, L=3 unreduced 20, orbits 7
-- burnside-states: N=5, L=5 unreduced 2304, orbits 91
-- burnside-states: N=4, L=6 unreduced 1125, orbits 105
-- burnside-states: N=6, L=5 unreduced 10240, orbits 140
-- burnside-states: N=8, L=4 unreduced 24057, orbits 81

const
  N: 4;
  L: 4;

type
  Pid: scalarset(N);
  Location: 1 .. L;

var
  loc: array [Pid] of Location;
  sem: boolean;                  -- true while the semaphore is taken

startstate "all in the first state"
begin
  for p: Pid do
    loc[p] := 1;
  end;
  sem := false;
end;

ruleset p: Pid do
  rule "advance"
    loc[p] < L - 1
  ==>
  begin
    loc[p] := loc[p] + 1;
  end;

  rule "enter"
    loc[p] = L - 1 & !sem
  ==>
  begin
    loc[p] := L;
    sem := true;
  end;

  rule "leave"
    loc[p] = L
  ==>
  begin
    loc[p] := 1;
    sem := false;
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(loc[p] = L & loc[q] = L)
    end
  end;

invariant "the semaphore is taken iff a process is critical"
  sem = exists p: Pid do loc[p] = L end;
