-- peterson_live.m: whoever competes under Peterson's algorithm gets in.
--
-- The model of peterson.m, with a scheduler that is weakly fair: a process that
-- can go on from some time on does. That is enough for everybody to get in, since
-- a process that is held back can go on as soon as another one arrives at its
-- level, and then stays able to. Without the line `fairness weak Pid;` a process
-- may be left standing for ever, and the runs that show it name it.
--
-- From: as peterson.m. Written for Burnside.
--
-- Scale: N >= 2, the number of processes.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 356, orbits 72
-- burnside-states: N=4 unreduced 5744, orbits 322
-- burnside-ltl: holds "whoever competes gets in"
-- burnside-ltl: holds "somebody gets in again and again"
-- burnside-ctl: holds "whoever competes gets in, whatever happens"
-- burnside-ctl: holds "everybody may get in"

const
  N: 3;

type
  Pid: scalarset(N);
  Level: 0 .. N - 1;             -- 0: not competing
  Contest: 1 .. N - 1;
  Location: enum { Idle, SetTurn, Wait, Critical };

var
  loc: array [Pid] of Location;
  level: array [Pid] of Level;
  turn: array [Contest] of Pid;  -- the last to arrive at the level

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

fairness weak Pid;

ltl "whoever competes gets in"
  forall p: Pid do G (loc[p] = SetTurn -> F loc[p] = Critical) end;

ltl "somebody gets in again and again"
  G F (exists p: Pid do loc[p] = Critical end);

ctl "whoever competes gets in, whatever happens"
  forall p: Pid do AG (loc[p] = SetTurn -> AF loc[p] = Critical) end;

ctl "everybody may get in"
  forall p: Pid do AG EF loc[p] = Critical end;
