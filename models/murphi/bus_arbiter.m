-- bus_arbiter.m: a bus with a privileged port.
--
-- Clients share a bus with a maintenance port. There is no scalarset here: processes are numbered 0 .. N, and number 0 is
-- the maintenance port, which takes the bus even while a client has it reserved. Nothing tells the clients 1 .. N
-- apart, so Burnside finds their symmetry by itself; `burnside symmetry` shows what makes number 0 special.
--
-- Written for Burnside.
--
-- Scale: N, the number of clients.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 72, orbits 21
-- burnside-states: N=2 unreduced 28, orbits 15
-- burnside-states: N=4 unreduced 176, orbits 27

const
  N : 3;

type
  Node : 0 .. N;
  Phase : enum { Idle, Waiting, Reserved, Sending };

var
  phase : array [Node] of Phase;
  bus : Node;

startstate
  for n : Node do phase[n] := Idle; end;
  undefine bus;
end;

ruleset n : Node do
  rule "ask"
    phase[n] = Idle
  ==>
    phase[n] := Waiting;
  end;

  rule "send"
    phase[n] = Reserved & bus = n
  ==>
    phase[n] := Sending;
  end;

  rule "finish"
    phase[n] = Sending
  ==>
    phase[n] := Idle;
    undefine bus;
  end;
end;

ruleset n : Node do
  rule "reserve"
    n != 0 & phase[n] = Waiting & isundefined(bus)
  ==>
    phase[n] := Reserved;
    bus := n;
  end;
end;

-- The maintenance port may take the bus from whoever has reserved it.
rule "seize"
  phase[0] = Waiting & (isundefined(bus) | phase[bus] = Reserved)
==>
  if !isundefined(bus) then
    phase[bus] := Waiting;
  end;
  phase[0] := Sending;
  bus := 0;
end;

invariant "one sender"
  forall n : Node do phase[n] = Sending -> (!isundefined(bus) & bus = n) end;

invariant "the port never reserves"
  phase[0] != Reserved;
