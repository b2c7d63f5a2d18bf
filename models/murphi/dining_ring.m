-- dining_ring.m: the dining philosophers around a table that has no first seat.
--
-- N philosophers sit around a table with one fork between any two neighbours:
-- fork i is to the left of philosopher i, fork next(i) to the right. All do the
-- same: take the left fork, then the right one, eat, and put both back one after
-- the other.
--
-- If a philosopher who has the left fork waits for the right one, come what may
-- (Polite = 0, the default), then all of them may end up with the left fork in
-- hand: a deadlock. If they put the left fork back when the right one is taken
-- (Polite = 1), then there is none; but they may do so forever.
--
-- From: E. W. Dijkstra, "Hierarchical Ordering of Sequential Processes" (1971);
-- written for Burnside. dining.m is the same table with numbered seats, where
-- philosopher 0 may be told to differ.
--
-- Scale: N >= 2, the number of philosophers. The seats are a ring: the table may
-- be turned, which is N rotations. The states are those that there are when the
-- search goes on after the deadlock.
--   unreduced = 3^N - 1: each fork is free, or with the left or right neighbour,
--               but not every fork with the philosopher to its left;
--   orbits    = the number of necklaces of N beads in three colours, less one.
--
-- burnside-constants: N = 4, Polite = 0
-- burnside-expect: deadlock
-- burnside-states: unreduced 80, orbits 23
-- burnside-states: Polite=1 unreduced 80, orbits 23
-- burnside-states: N=2 unreduced 8, orbits 5
-- burnside-states: N=3 unreduced 26, orbits 10
-- burnside-states: N=6 unreduced 728, orbits 129
-- burnside-states: N=8, Polite=1 unreduced 6560, orbits 833

const
  N: 4;
  Polite: 0;

type
  Seat: ring(N);
  Location: enum {
    Thinking,
    HasFirst,      -- has taken the left fork
    Eating,        -- has taken both
    HasSecond      -- has put the left fork back
  };

var
  loc: array [Seat] of Location;
  taken: array [Seat] of boolean;       -- the forks

startstate "all thinking"
begin
  for i: Seat do
    loc[i] := Thinking;
    taken[i] := false;
  end;
end;

ruleset i: Seat do
  rule "take the left fork"
    loc[i] = Thinking & !taken[i]
  ==>
  begin
    taken[i] := true;
    loc[i] := HasFirst;
  end;

  rule "take the right fork"
    loc[i] = HasFirst & !taken[next(i)]
  ==>
  begin
    taken[next(i)] := true;
    loc[i] := Eating;
  end;

  rule "give up"
    Polite = 1 & loc[i] = HasFirst & taken[next(i)]
  ==>
  begin
    taken[i] := false;
    loc[i] := Thinking;
  end;

  rule "put the left fork back"
    loc[i] = Eating
  ==>
  begin
    taken[i] := false;
    loc[i] := HasSecond;
  end;

  rule "put the right fork back"
    loc[i] = HasSecond
  ==>
  begin
    taken[next(i)] := false;
    loc[i] := Thinking;
  end;
end;

invariant "neighbours do not eat at the same time"
  forall i: Seat do
    loc[i] = Eating -> loc[next(i)] != Eating & loc[prev(i)] != Eating
  end;

invariant "a fork is taken if and only if a neighbour has it"
  forall i: Seat do
    taken[i] = (loc[i] = HasFirst | loc[i] = Eating | loc[prev(i)] = Eating | loc[prev(i)] = HasSecond)
  end;
