-- readers_writer_priority.m: readers and a writer that are alike but for one rule.
--
-- Processes try to enter a critical section. Any of them may, if nobody is in it.
-- Readers may also join others there, as long as the writer, the last process,
-- is not inside. That one rule tells the writer from the readers; all others
-- treat the processes alike. So the processes are no symmetry of the model, but
-- most of what happens does not depend on which process is which: the search
-- adapts, and remembers with a state that the writer was told apart only if
-- readers met on the way to it.
--
-- From: Figure 10 of T. Wahl and A. Donaldson, "Replication and Abstraction:
-- Symmetry in Automated Formal Verification" (Symmetry, 2010), after T. Wahl and
-- V. D'Silva, "A Lazy Approach to Symmetry Reduction" (2009); written for
-- Burnside. With three processes, the 22 states and 9 abstract states are those
-- of the paper.
--
-- Scale: N, the number of processes, writer included.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 22, orbits 9
-- burnside-states: N=4 unreduced 62, orbits 15
-- burnside-states: N=6 unreduced 518, orbits 33
-- burnside-states: N=8 unreduced 4502, orbits 59

const
  N: 3;

type
  Process: 1..N;
  State: enum { NonCritical, Trying, Critical };

var
  state: array [Process] of State;

startstate "all idle"
begin
  for p: Process do
    state[p] := NonCritical;
  end;
end;

ruleset p: Process do
  rule "try"
    state[p] = NonCritical
  ==>
  begin
    state[p] := Trying;
  end;

  rule "enter"
    state[p] = Trying
    & forall q: Process do state[q] != Critical end
  ==>
  begin
    state[p] := Critical;
  end;

  rule "join the readers"
    p < N & state[p] = Trying & state[N] != Critical
  ==>
  begin
    state[p] := Critical;
  end;

  rule "leave"
    state[p] = Critical
  ==>
  begin
    state[p] := NonCritical;
  end;
end;

invariant "the writer is alone"
  state[N] = Critical ->
    forall p: Process do p != N -> state[p] != Critical end;

cover "two readers at once"
  exists p: Process do exists q: Process do
    p != q & state[p] = Critical & state[q] = Critical
  end end;
