-- german_live.m: every request of German's protocol is granted.
--
-- The model of german_nodata.m, with a scheduler that is fair: whatever the home
-- and the clients owe each other is done at last. That the home accepts requests
-- must be treated strongly fairly, client by client: while it serves others it
-- accepts none, and with a weakly fair scheduler it may overlook a client for
-- ever. Nobody is ever forced to ask.
--
-- From: as german_nodata.m. Written for Burnside.
--
-- Scale: N, the number of clients.
--
-- burnside-constants: N = 2
-- burnside-expect: holds
-- burnside-states: unreduced 1344, orbits 678
-- burnside-states: N=3 unreduced 25110, orbits 4525
-- burnside-ltl: holds "every request is granted"
-- burnside-ltl: holds "the home does not stall"

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

  fair rule "client is invalidated"
    reply[c] = Invalidate & !ack[c]
  ==>
  begin
    reply[c] := NoReply;
    ack[c] := true;
    cache[c] := Invalid;
  end;

  fair rule "client gets a shared copy"
    reply[c] = GrantShared
  ==>
  begin
    cache[c] := Shared;
    reply[c] := NoReply;
  end;

  fair rule "client gets an exclusive copy"
    reply[c] = GrantExclusive
  ==>
  begin
    cache[c] := Exclusive;
    reply[c] := NoReply;
  end;
end;

-- Home

ruleset c: Client do
  strong fair rule "home accepts a request"
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

  fair rule "home sends an invalidation"
    toInvalidate[c] & reply[c] = NoReply
  ==>
  begin
    reply[c] := Invalidate;
    toInvalidate[c] := false;
  end;

  fair rule "home receives an acknowledgement"
    command != NoRequest & ack[c]
  ==>
  begin
    sharers[c] := false;
    exclusive := false;
    ack[c] := false;
  end;

  fair rule "home grants a shared copy"
    command = GetShared & requester = c & !exclusive & reply[c] = NoReply
  ==>
  begin
    sharers[c] := true;
    reply[c] := GrantShared;
    command := NoRequest;
    undefine requester;
  end;

  fair rule "home grants an exclusive copy"
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

ltl "every request is granted"
  forall c: Client do
    G ( (request[c] = GetShared -> F cache[c] = Shared)
      & (request[c] = GetExclusive -> F cache[c] = Exclusive) )
  end;

ltl "the home does not stall"
  G (command != NoRequest -> F command = NoRequest);
