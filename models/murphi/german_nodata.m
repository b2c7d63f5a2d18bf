-- german_nodata.m: German's directory-based cache coherence protocol, without
-- data.
--
-- N clients cache one line of memory, which is kept by a home node. A client
-- asks for a shared or an exclusive copy; the home serves one request at a
-- time, first invalidates the copies that are in the way, collects the
-- acknowledgements, and then grants the request. There are three channels
-- between the home and each client, each of which holds one message.
--
-- From: the protocol that S. German posed as a challenge to the verification
-- community in 2000, "CCP" in C. Appold, "Efficient Symmetry Reduction and the
-- Use of State Symmetries for Symbolic Model Checking" (GandALF 2010); written
-- for Burnside. german.m is the same protocol with data.
--
-- Scale: N, the number of clients.
--
-- burnside-constants: N = 2
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 1344, orbits 678
-- burnside-states: N=3 unreduced 25110, orbits 4525

const
  N: 2;

type
  Client: scalarset(N);
  CacheState: enum { Invalid, Shared, Exclusive };
  Request: enum { NoRequest, GetShared, GetExclusive };
  Reply: enum { NoReply, Invalidate, GrantShared, GrantExclusive };

var
  cache: array [Client] of CacheState;

  -- The channels.
  request: array [Client] of Request;       -- client to home
  reply: array [Client] of Reply;           -- home to client
  ack: array [Client] of boolean;           -- client to home

  -- The home.
  command: Request;                         -- the request being served
  requester: Client;                        -- and who made it
  toInvalidate: array [Client] of boolean;  -- and has not been told yet
  sharers: array [Client] of boolean;       -- may have a copy
  exclusive: boolean;                       -- an exclusive copy is granted

startstate "all invalid"
begin
  for c: Client do
    cache[c] := Invalid;
    request[c] := NoRequest;
    reply[c] := NoReply;
    ack[c] := false;
    toInvalidate[c] := false;
    sharers[c] := false;
  end;
  command := NoRequest;
  undefine requester;
  exclusive := false;
end;

-- Clients

ruleset c: Client do
  rule "client asks for a shared copy"
    request[c] = NoRequest & cache[c] = Invalid
  ==>
  begin
    request[c] := GetShared;
  end;

  rule "client asks for an exclusive copy"
    request[c] = NoRequest & cache[c] != Exclusive
  ==>
  begin
    request[c] := GetExclusive;
  end;

  rule "client is invalidated"
    reply[c] = Invalidate & !ack[c]
  ==>
  begin
    reply[c] := NoReply;
    ack[c] := true;
    cache[c] := Invalid;
  end;

  rule "client gets a shared copy"
    reply[c] = GrantShared
  ==>
  begin
    cache[c] := Shared;
    reply[c] := NoReply;
  end;

  rule "client gets an exclusive copy"
    reply[c] = GrantExclusive
  ==>
  begin
    cache[c] := Exclusive;
    reply[c] := NoReply;
  end;
end;

-- Home

ruleset c: Client do
  rule "home accepts a request"
    command = NoRequest & request[c] != NoRequest
  ==>
  begin
    command := request[c];
    requester := c;
    request[c] := NoRequest;
    -- A shared copy is in the way of an exclusive one only.
    for i: Client do
      toInvalidate[i] := sharers[i] & (command = GetExclusive | exclusive);
    end;
  end;

  rule "home sends an invalidation"
    toInvalidate[c] & reply[c] = NoReply
  ==>
  begin
    reply[c] := Invalidate;
    toInvalidate[c] := false;
  end;

  rule "home receives an acknowledgement"
    command != NoRequest & ack[c]
  ==>
  begin
    sharers[c] := false;
    exclusive := false;
    ack[c] := false;
  end;

  rule "home grants a shared copy"
    command = GetShared & requester = c & !exclusive & reply[c] = NoReply
  ==>
  begin
    sharers[c] := true;
    reply[c] := GrantShared;
    command := NoRequest;
    undefine requester;
  end;

  rule "home grants an exclusive copy"
    command = GetExclusive & requester = c & reply[c] = NoReply
    & forall i: Client do !sharers[i] end
  ==>
  begin
    sharers[c] := true;
    exclusive := true;
    reply[c] := GrantExclusive;
    command := NoRequest;
    undefine requester;
  end;
end;

-- Properties

invariant "an exclusive copy is the only copy"
  forall c: Client do
    cache[c] = Exclusive ->
      forall e: Client do
        e != c -> cache[e] = Invalid
      end
  end;

invariant "the home knows of every copy"
  forall c: Client do
    (cache[c] != Invalid -> sharers[c])
    & (cache[c] = Exclusive -> exclusive)
  end;
