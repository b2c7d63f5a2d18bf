-- arbiter.m: a bus arbiter with split transactions and locks.
--
-- N clients share a bus. A client that wants to read or write raises its request line; the arbiter raises one grant line at
-- a time, and only while nobody owns the bus. The client then takes the bus, sends a burst of up to three words and gives
-- it back: after a write at once; after a read it waits for the memory's answer without the bus (a split transaction) or,
-- if the transaction is locked, with it. With `-D Faulty=1` the arbiter forgets that writers must wait for the bus.
--
-- A client has ten bits: a phase (3), the kind of its transaction (1), the words that are left (2), its request and grant
-- lines (1 each), whether it locks the bus (1) and whether the memory has answered (1).
--
-- From: after the arbiter in S. Barner and O. Grumberg, "Combining Symmetry Reduction and Under-Approximation for
-- Symbolic Model Checking" (2002), which says no more of it than that; this one was written for Burnside.
--
-- `arbiter_hints.claims` has hints, `arbiter_wrong.claims` a generator that is no symmetry:
--   burnside check models/murphi/arbiter.m --engine bdd --reduce on-the-fly --symmetry-file models/claims/arbiter_wrong.claims
--
-- Scale: N, the number of clients.
--
-- burnside-constants: N = 2, Faulty = 0
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 781, orbits 396
-- burnside-states: N=3 unreduced 12221, orbits 2266

const
  N : 2;
  Faulty : 0;

type
  Client : scalarset(N);
  Phase : enum { Idle, Asking, Granted, Sending, Waiting, Done };
  Kind : enum { Read, Write };

var
  client : array [Client] of record
    phase : Phase;
    kind : Kind;
    left : 0 .. 3;
    request : boolean;
    grant : boolean;
    lock : boolean;
    answer : boolean;
  end;
  owner : Client;

startstate
  for c : Client do
    client[c].phase := Idle;
    client[c].kind := Read;
    client[c].left := 0;
    client[c].request := false;
    client[c].grant := false;
    client[c].lock := false;
    client[c].answer := false;
  end;
  undefine owner;
end;

ruleset c : Client do
  ruleset k : Kind; l : boolean do
    rule "ask"
      client[c].phase = Idle
    ==>
      client[c].phase := Asking;
      client[c].kind := k;
      client[c].lock := l;
      client[c].request := true;
    end;
  end;

  rule "grant"
    client[c].request & forall d : Client do !client[d].grant end
      & (isundefined(owner) | (Faulty = 1 & client[c].kind = Write))
  ==>
    client[c].grant := true;
    client[c].request := false;
  end;

  ruleset n : 1 .. 3 do
    rule "take"
      client[c].phase = Asking & client[c].grant
    ==>
      client[c].phase := Granted;
      client[c].grant := false;
      client[c].left := n;
      owner := c;
    end;
  end;

  rule "send"
    (client[c].phase = Granted | client[c].phase = Sending) & client[c].left > 0
  ==>
    client[c].phase := Sending;
    client[c].left := client[c].left - 1;
  end;

  rule "written"
    client[c].phase = Sending & client[c].left = 0 & client[c].kind = Write
  ==>
    client[c].phase := Done;
    undefine owner;
  end;

  rule "asked the memory"
    client[c].phase = Sending & client[c].left = 0 & client[c].kind = Read
  ==>
    client[c].phase := Waiting;
    if !client[c].lock then undefine owner; end;
  end;

  rule "answer"
    client[c].phase = Waiting & !client[c].answer
  ==>
    client[c].answer := true;
  end;

  rule "read"
    client[c].phase = Waiting & client[c].answer
  ==>
    client[c].phase := Done;
    client[c].answer := false;
    if client[c].lock then undefine owner; end;
  end;

  rule "rest"
    client[c].phase = Done
  ==>
    client[c].phase := Idle;
    client[c].lock := false;
    client[c].kind := Read;
  end;
end;

invariant "who sends owns the bus"
  forall c : Client do
    client[c].phase = Granted | client[c].phase = Sending -> !isundefined(owner) & owner = c
  end;

invariant "a lock keeps the bus"
  forall c : Client do
    client[c].phase = Waiting & client[c].lock -> !isundefined(owner) & owner = c
  end;

invariant "one grant at a time"
  forall c : Client do forall d : Client do client[c].grant & client[d].grant -> c = d end end;
