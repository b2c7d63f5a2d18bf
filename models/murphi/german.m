-- german.m: German's directory-based cache coherence protocol, with data.
--
-- N clients cache one line of memory, which is kept by a home node. A client
-- asks for a shared or an exclusive copy; the home serves one request at a
-- time, first invalidates the copies that are in the way, collects the
-- acknowledgements (which carry the data of an exclusive copy), and then
-- grants the request. There are three channels between the home and each
-- client, each of which holds one message.
--
-- The ghost variable `last` is the value that was last stored. Data that nobody
-- may read is undefined, in particular that of the memory while some client has
-- been granted an exclusive copy.
--
-- From: the protocol that S. German posed as a challenge to the verification
-- community in 2000, "CCP" in C. Appold, "Efficient Symmetry Reduction and the
-- Use of State Symmetries for Symbolic Model Checking" (GandALF 2010); written
-- for Burnside. german_nodata.m is the same protocol without the data.
--
-- Scale: N, the number of clients; also Values, the number of values of a line.
--
-- burnside-constants: N = 2, Values = 2
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 2688, orbits 678
-- burnside-states: N=3 unreduced 50220, orbits 4525

const
  N: 2;
  Values: 2;

type
  Client: scalarset(N);
  Data: scalarset(Values);
  CacheState: enum { Invalid, Shared, Exclusive };
  RequestKind: enum { NoRequest, GetShared, GetExclusive };
  ReplyKind: enum { NoReply, Invalidate, GrantShared, GrantExclusive };

  Cache: record
    state: CacheState;
    data: Data;
  end;

  Reply: record
    kind: ReplyKind;
    data: Data;
  end;

  Ack: record
    full: boolean;
    data: Data;                        -- defined if the copy was exclusive
  end;

var
  cache: array [Client] of Cache;

  -- The channels.
  request: array [Client] of RequestKind;   -- client to home
  reply: array [Client] of Reply;           -- home to client
  ack: array [Client] of Ack;               -- client to home

  -- The home.
  command: RequestKind;                     -- the request being served
  requester: Client;                        -- and who made it
  toInvalidate: array [Client] of boolean;  -- and has not been told yet
  sharers: array [Client] of boolean;       -- may have a copy
  exclusive: boolean;                       -- an exclusive copy is granted
  memory: Data;

  last: Data;                               -- ghost: the last value stored

ruleset d: Data do
  startstate "all invalid"
  begin
    for c: Client do
      cache[c].state := Invalid;
      undefine cache[c].data;
      request[c] := NoRequest;
      reply[c].kind := NoReply;
      undefine reply[c].data;
      ack[c].full := false;
      undefine ack[c].data;
      toInvalidate[c] := false;
      sharers[c] := false;
    end;
    command := NoRequest;
    undefine requester;
    exclusive := false;
    memory := d;
    last := d;
  end;
end;

-- Clients

ruleset c: Client; d: Data do
  rule "client stores"
    cache[c].state = Exclusive
  ==>
  begin
    cache[c].data := d;
    last := d;
  end;
end;

ruleset c: Client do
  rule "client asks for a shared copy"
    request[c] = NoRequest & cache[c].state = Invalid
  ==>
  begin
    request[c] := GetShared;
  end;

  rule "client asks for an exclusive copy"
    request[c] = NoRequest & cache[c].state != Exclusive
  ==>
  begin
    request[c] := GetExclusive;
  end;

  rule "client is invalidated"
    reply[c].kind = Invalidate & !ack[c].full
  ==>
  begin
    reply[c].kind := NoReply;
    ack[c].full := true;
    if cache[c].state = Exclusive then
      ack[c].data := cache[c].data;
    end;
    cache[c].state := Invalid;
    undefine cache[c].data;
  end;

  rule "client gets a shared copy"
    reply[c].kind = GrantShared
  ==>
  begin
    cache[c].state := Shared;
    cache[c].data := reply[c].data;
    reply[c].kind := NoReply;
    undefine reply[c].data;
  end;

  rule "client gets an exclusive copy"
    reply[c].kind = GrantExclusive
  ==>
  begin
    cache[c].state := Exclusive;
    cache[c].data := reply[c].data;
    reply[c].kind := NoReply;
    undefine reply[c].data;
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
    toInvalidate[c] & reply[c].kind = NoReply
  ==>
  begin
    reply[c].kind := Invalidate;
    toInvalidate[c] := false;
  end;

  rule "home receives an acknowledgement"
    command != NoRequest & ack[c].full
  ==>
  begin
    sharers[c] := false;
    if exclusive then
      exclusive := false;
      memory := ack[c].data;
    end;
    ack[c].full := false;
    undefine ack[c].data;
  end;

  rule "home grants a shared copy"
    command = GetShared & requester = c & !exclusive & reply[c].kind = NoReply
  ==>
  begin
    sharers[c] := true;
    reply[c].kind := GrantShared;
    reply[c].data := memory;
    command := NoRequest;
    undefine requester;
  end;

  rule "home grants an exclusive copy"
    command = GetExclusive & requester = c & reply[c].kind = NoReply
    & forall i: Client do !sharers[i] end
  ==>
  begin
    sharers[c] := true;
    exclusive := true;
    reply[c].kind := GrantExclusive;
    reply[c].data := memory;
    undefine memory;
    command := NoRequest;
    undefine requester;
  end;
end;

-- Properties

invariant "an exclusive copy is the only copy"
  forall c: Client do
    cache[c].state = Exclusive ->
      forall e: Client do
        e != c -> cache[e].state = Invalid
      end
  end;

invariant "the home knows of every copy"
  forall c: Client do
    (cache[c].state != Invalid -> sharers[c])
    & (cache[c].state = Exclusive -> exclusive)
  end;

invariant "every copy has the value last stored"
  forall c: Client do
    cache[c].state != Invalid -> cache[c].data = last
  end;

invariant "the memory has the value last stored unless a copy is exclusive"
  !exclusive -> memory = last;
