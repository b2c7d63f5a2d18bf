-- szymanski.m: Szymanski's mutual exclusion, flag by flag.
--
-- A waiting room with a door: who wants in waits for the door to be open, goes
-- through it, and the last one in closes it; then they leave in the order of
-- their numbers. Every flag of another process is read in a step of its own.
--
-- The order in which flags are read tells the processes apart, so there is no
-- symmetry, and state by state there is much to do: 82,525,651 states with
-- N = 6. For decision diagrams it is little.
--
-- From: B. K. Szymanski, A simple solution to Lamport's concurrent programming
-- problem with linear wait, 1988. Written for Burnside.
--
-- Scale: N >= 2, the number of processes.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 2837, orbits 2837
-- burnside-states: N=4 unreduced 72958, orbits 72958

const
  N: 3;

type
  Pid: 0 .. N - 1;
  Flag: 0 .. 4;
  Location: enum { Idle, Knock, Door, Look, Wait, Close, Turn, Critical, Leave };

var
  flag: array [Pid] of Flag;     -- 0 outside, 1 before the door, 2 waiting inside, 3 in the door, 4 closed behind
  loc: array [Pid] of Location;
  at: array [Pid] of Pid;        -- whose flag is read next

startstate "all outside"
begin
  for p: Pid do
    flag[p] := 0;
    loc[p] := Idle;
    at[p] := 0;
  end;
end;

-- Goes on to the next flag, or to another location if this was the last one.
procedure next(p: Pid; goal: Location);
begin
  if at[p] = N - 1 then
    at[p] := 0;
    loc[p] := goal;
  else
    at[p] := at[p] + 1;
  end;
end;

ruleset p: Pid do
  rule "knock"
    loc[p] = Idle
  ==>
  begin
    flag[p] := 1;
    loc[p] := Knock;
  end;

  rule "the door is open for this one"
    loc[p] = Knock & flag[at[p]] < 3
  ==>
  begin
    next(p, Door);
  end;

  rule "into the door"
    loc[p] = Door
  ==>
  begin
    flag[p] := 3;
    loc[p] := Look;
  end;

  rule "nobody knocks here"
    loc[p] = Look & flag[at[p]] != 1
  ==>
  begin
    next(p, Close);
  end;

  rule "somebody knocks"
    loc[p] = Look & flag[at[p]] = 1
  ==>
  begin
    flag[p] := 2;
    at[p] := 0;
    loc[p] := Wait;
  end;

  rule "the door is not closed by this one"
    loc[p] = Wait & flag[at[p]] != 4
  ==>
  begin
    next(p, Wait);
  end;

  rule "the door is closed"
    loc[p] = Wait & flag[at[p]] = 4
  ==>
  begin
    at[p] := 0;
    loc[p] := Close;
  end;

  rule "close the door"
    loc[p] = Close
  ==>
  begin
    flag[p] := 4;
    loc[p] := Turn;
  end;

  rule "this one is not before me"
    loc[p] = Turn & (at[p] >= p | flag[at[p]] < 2)
  ==>
  begin
    next(p, Critical);
  end;

  rule "leave"
    loc[p] = Critical
  ==>
  begin
    loc[p] := Leave;
  end;

  rule "this one has seen the door closed"
    loc[p] = Leave & (at[p] <= p | flag[at[p]] < 2 | flag[at[p]] > 3)
  ==>
  begin
    if at[p] = N - 1 then
      flag[p] := 0;
    end;
    next(p, Idle);
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do forall q: Pid do p != q -> !(loc[p] = Critical & loc[q] = Critical) end end;
