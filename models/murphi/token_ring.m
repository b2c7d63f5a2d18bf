-- token_ring.m: mutual exclusion by a token that goes round.
--
-- N nodes sit on a ring. One of them has the token; it may enter its critical
-- section if it wants to, and otherwise, or when it is done, it hands the token
-- to the next node. While it is on its way, nobody has it.
--
-- From: the token ring as in G. Le Lann, "Distributed Systems: Towards a Formal
-- Approach" (IFIP 1977); written for Burnside.
--
-- Scale: N >= 1, the number of nodes. The ring may be turned, and the token with
-- it: N rotations. Any node may have the token at first.
--   unreduced = N 2^(N-1) (3 + 2): where the token is (or was last), whether the
--               others want to enter; the holder is idle, waiting or critical,
--               the one that has just let it go idle or waiting;
--   orbits    = unreduced / N, as no rotation but one keeps the token in place.
--
-- burnside-constants: N = 4
-- burnside-expect: holds
-- burnside-states: unreduced 160, orbits 40
-- burnside-states: N=2 unreduced 20, orbits 10
-- burnside-states: N=3 unreduced 60, orbits 20
-- burnside-states: N=8 unreduced 5120, orbits 640

const
  N: 4;

type
  Node: ring(N);
  Location: enum { Idle, Waiting, Critical };

var
  loc: array [Node] of Location;
  at: Node;                      -- who has the token, or had it last
  moving: boolean;               -- whether it is on its way to the next node

ruleset first: Node do
  startstate "all idle"
  begin
    for i: Node do
      loc[i] := Idle;
    end;
    at := first;
    moving := false;
  end;
end;

ruleset i: Node do
  rule "want to enter"
    loc[i] = Idle
  ==>
  begin
    loc[i] := Waiting;
  end;

  rule "enter"
    loc[i] = Waiting & at = i & !moving
  ==>
  begin
    loc[i] := Critical;
  end;

  rule "leave and hand over"
    loc[i] = Critical
  ==>
  begin
    loc[i] := Idle;
    moving := true;
  end;

  rule "hand over"
    loc[i] = Idle & at = i & !moving
  ==>
  begin
    moving := true;
  end;
end;

rule "arrive"
  moving
==>
begin
  at := next(at);
  moving := false;
end;

invariant "one at a time"
  forall i: Node do
    forall j: Node do
      loc[i] = Critical & loc[j] = Critical -> i = j
    end
  end;

invariant "only the holder of the token is critical"
  forall i: Node do
    loc[i] = Critical -> at = i & !moving
  end;

ruleset i: Node do
  liveness "everybody can enter again"
    loc[i] = Critical
end;
