-- peterson.m: Peterson's mutual exclusion algorithm for N processes.
--
-- A process climbs N - 1 levels, each of which holds one process back:
--
--   for j := 1 to N - 1
--     level[I] := j
--     turn[j] := I
--     wait until turn[j] != I or level[k] < j for all k != I
--   critical section
--   level[I] := 0
--
-- The test of the wait is one atomic step. Nobody reads turn[j] before writing
-- it, so it is undefined at first.
--
-- From: G. L. Peterson, "Myths About the Mutual Exclusion Problem" (IPL 1981),
-- a benchmark of C. Appold, "Efficient Symmetry Reduction and the Use of State
-- Symmetries for Symbolic Model Checking" (GandALF 2010); written for Burnside.
--
-- Scale: N >= 2, the number of processes.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 356, orbits 72
-- burnside-states: N=2 unreduced 24, orbits 13
-- burnside-states: N=4 unreduced 5744, orbits 322

const
  N: 3;

type
  Pid: scalarset(N);
  Level: 0 .. N - 1;             -- 0: not competing
  Contest: 1 .. N - 1;
  Count: 0 .. N;
  Location: enum { Idle, SetTurn, Wait, Critical };

var
  loc: array [Pid] of Location;
  level: array [Pid] of Level;
  turn: array [Contest] of Pid;  -- the last to arrive at the level

-- The number of processes that have won level j.
function winners(j: Contest): Count;
var
  n: Count;
begin
  n := 0;
  for p: Pid do
    if level[p] > j | loc[p] = Critical then
      n := n + 1;
    end;
  end;
  return n;
end;

startstate "all idle"
begin
  for p: Pid do
    loc[p] := Idle;
    level[p] := 0;
  end;
  undefine turn;
end;

ruleset p: Pid do
  rule "begin to compete"
    loc[p] = Idle
  ==>
  begin
    level[p] := 1;
    loc[p] := SetTurn;
  end;

  rule "give way at the level"
    loc[p] = SetTurn
  ==>
  begin
    turn[level[p]] := p;
    loc[p] := Wait;
  end;

  rule "win the level"
    loc[p] = Wait
    & ( turn[level[p]] != p
      | forall q: Pid do q != p -> level[q] < level[p] end )
  ==>
  begin
    if level[p] < N - 1 then
      level[p] := level[p] + 1;
      loc[p] := SetTurn;
    else
      loc[p] := Critical;
    end;
  end;

  rule "leave"
    loc[p] = Critical
  ==>
  begin
    level[p] := 0;
    loc[p] := Idle;
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(loc[p] = Critical & loc[q] = Critical)
    end
  end;

invariant "level 0 is for idle processes"
  forall p: Pid do
    (level[p] = 0) = (loc[p] = Idle)
  end;

invariant "each level holds a process back"
  forall j: Contest do
    winners(j) <= N - j
  end;
