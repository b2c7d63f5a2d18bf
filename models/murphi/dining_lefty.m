-- dining_lefty.m: one philosopher takes the right fork first, and everybody eats.
--
-- The table of dining_ring.m, where all philosophers take the left fork first,
-- come what may, but for one, whoever that is. Then there is no deadlock. Whoever
-- is hungry eats at last if the scheduler is strongly fair: a fork that one waits
-- for becomes free again and again. Weakly fair is not enough, as the neighbour may
-- always be faster. With Lefty = 0 there is no such philosopher, all may end up
-- with the left fork in hand, and stay so.
--
-- From: as dining_ring.m. Written for Burnside.
--
-- Scale: N >= 2, the number of philosophers. The seats are a ring, and the seat of
-- the one who differs is kept in a variable: the table may be turned.
--
-- burnside-constants: N = 4, Lefty = 1
-- burnside-expect: holds
-- burnside-states: unreduced 324, orbits 81
-- burnside-ltl: holds "everybody eats again and again"
-- burnside-ctl: holds "whoever has a fork eats"

const
  N: 4;
  Lefty: 1;

type
  Seat: ring(N);
  Location: enum {
    Thinking,
    HasFirst,      -- has taken one fork
    Eating,        -- has taken both
    HasSecond      -- has put the first one back
  };

var
  loc: array [Seat] of Location;
  taken: array [Seat] of boolean;       -- the forks: to the left of each seat
  lefty: Seat;

-- The fork that a philosopher takes first.
function first(i: Seat): Seat;
begin
  return Lefty = 1 & i = lefty ? next(i) : i;
end;

-- And the other one.
function second(i: Seat): Seat;
begin
  return Lefty = 1 & i = lefty ? i : next(i);
end;

ruleset l: Seat do
  startstate "all thinking"
  begin
    for i: Seat do
      loc[i] := Thinking;
      taken[i] := false;
    end;
    lefty := l;
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

fairness strong Seat;

invariant "neighbours do not eat at the same time"
  forall i: Seat do
    loc[i] = Eating -> loc[next(i)] != Eating & loc[prev(i)] != Eating
  end;

ltl "everybody eats again and again"
  forall i: Seat do G F loc[i] = Eating end;

ctl "whoever has a fork eats"
  forall i: Seat do AG (loc[i] = HasFirst -> AF loc[i] = Eating) end;
