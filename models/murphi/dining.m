-- dining.m: the dining philosophers.
--
-- N philosophers sit around a table with one fork between any two neighbours:
-- fork i is to the left of philosopher i, fork i + 1 (modulo N) to the right.
-- A philosopher takes the two forks one after the other, eats, and puts them
-- back one after the other.
--
-- If everybody takes the left fork first (Asymmetric = 0, the default), then
-- all of them may end up with the left fork in hand: a deadlock. If
-- philosopher 0 takes the right fork first (Asymmetric = 1), then there is
-- none.
--
-- From: E. W. Dijkstra, "Hierarchical Ordering of Sequential Processes" (1971);
-- written for Burnside.
--
-- Scale: N >= 2, the number of philosophers. They are numbers, not a scalarset,
-- because the neighbours are computed from them and one philosopher may be told to
-- differ, and so there is no reduction; dining_ring.m has a ring of seats, whose
-- rotations are a symmetry. The states are those that there are when the search goes on after
-- the deadlock.
--
-- burnside-constants: N = 4, Asymmetric = 0
-- burnside-expect: deadlock
-- burnside-states: unreduced 80, orbits 80
-- burnside-states: Asymmetric=1 unreduced 81, orbits 81

const
  N: 4;
  Asymmetric: 0;

type
  Seat: 0 .. N - 1;
  Location: enum {
    Thinking,
    HasFirst,      -- has taken one fork
    Eating,        -- has taken both
    HasSecond      -- has put the first fork back
  };

var
  loc: array [Seat] of Location;
  taken: array [Seat] of boolean;       -- the forks

function first(i: Seat): Seat;
begin
  if Asymmetric = 1 & i = 0 then
    return (i + 1) % N;
  end;
  return i;
end;

function second(i: Seat): Seat;
begin
  if Asymmetric = 1 & i = 0 then
    return i;
  end;
  return (i + 1) % N;
end;

startstate "all thinking"
begin
  for i: Seat do
    loc[i] := Thinking;
    taken[i] := false;
  end;
end;

ruleset i: Seat do
  rule "take the first fork"
    loc[i] = Thinking & !taken[first(i)]
  ==>
  begin
    taken[first(i)] := true;
    loc[i] := HasFirst;
  end;

  rule "take the second fork"
    loc[i] = HasFirst & !taken[second(i)]
  ==>
  begin
    taken[second(i)] := true;
    loc[i] := Eating;
  end;

  rule "put the first fork back"
    loc[i] = Eating
  ==>
  begin
    taken[first(i)] := false;
    loc[i] := HasSecond;
  end;

  rule "put the second fork back"
    loc[i] = HasSecond
  ==>
  begin
    taken[second(i)] := false;
    loc[i] := Thinking;
  end;
end;

invariant "neighbours do not eat at the same time"
  forall i: Seat do
    !(loc[i] = Eating & loc[(i + 1) % N] = Eating)
  end;

invariant "a philosopher who eats has both forks"
  forall i: Seat do
    loc[i] = Eating -> taken[first(i)] & taken[second(i)]
  end;
