-- flash_nodata.m: the cache coherence protocol of the Stanford FLASH
-- multiprocessor, without data.
--
-- Every line of memory has a home node with a directory. A node asks the home
-- for a shared (Get) or an exclusive (GetX) copy. If another node has the line
-- exclusively, the home forwards the request to it, and it answers the
-- requester directly. Invalidations are sent to all sharers and acknowledged.
--
-- From: the protocol as described by S. Park and D. Dill, "Verification of the
-- FLASH cache coherence protocol by aggregation of distributed transactions"
-- (SPAA 1996), and C.-T. Chou, P. Mannava and S. Park (FMCAD 2004); written
-- for Burnside.
--
-- Scale: N, the number of nodes.
--
-- burnside-constants: N = 2
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 62, orbits 31
-- burnside-states: N=3 unreduced 6507, orbits 1092

const
  N: 2;

type
  Node: scalarset(N);
  CacheState: enum { Invalid, Shared, Exclusive };
  Command: enum { NoCommand, Get, GetX };
  UniKind: enum { NoUni, UniGet, UniGetX, UniPut, UniPutX, UniNak };
  InvKind: enum { NoInv, Inv, InvAck };
  WbKind: enum { NoWb, Wb };
  ShWbKind: enum { NoShWb, ShWb, FAck };

  NodeState: record
    command: Command;          -- what it waits for
    marked: boolean;           -- an invalidation overtook the answer
    cache: CacheState;
  end;

  Uni: record                  -- between a node and whoever serves it
    kind: UniKind;
    server: Node;
  end;

var
  home: Node;                  -- fixed in the start state
  node: array [Node] of NodeState;

  -- The directory.
  pending: boolean;
  isLocal: boolean;            -- the home itself has a copy
  dirty: boolean;              -- some copy is exclusive
  headValid: boolean;
  head: Node;                  -- the owner, or one sharer
  sharers: array [Node] of boolean;
  toInvalidate: array [Node] of boolean;

  -- Messages.
  uni: array [Node] of Uni;    -- by requester
  inv: array [Node] of InvKind;
  wb: WbKind;                  -- write-back to the home
  wbFrom: Node;
  shWb: ShWbKind;              -- answer of an owner to the home
  shWbFrom: Node;
  nakc: boolean;               -- an owner could not serve a forwarded request

ruleset h: Node do
  startstate "all invalid"
  begin
    home := h;
    for n: Node do
      node[n].command := NoCommand;
      node[n].marked := false;
      node[n].cache := Invalid;
      sharers[n] := false;
      toInvalidate[n] := false;
      uni[n].kind := NoUni;
      undefine uni[n].server;
      inv[n] := NoInv;
    end;
    pending := false;
    isLocal := false;
    dirty := false;
    headValid := false;
    undefine head;
    wb := NoWb;
    undefine wbFrom;
    shWb := NoShWb;
    undefine shWbFrom;
    nakc := false;
  end;
end;

ruleset n: Node do
  rule "a remote node asks for a shared copy"
    n != home & node[n].command = NoCommand & node[n].cache = Invalid
  ==>
  begin
    node[n].command := Get;
    uni[n].kind := UniGet;
    uni[n].server := home;
  end;

  rule "a remote node asks for an exclusive copy"
    n != home & node[n].command = NoCommand & node[n].cache = Invalid
  ==>
  begin
    node[n].command := GetX;
    uni[n].kind := UniGetX;
    uni[n].server := home;
  end;

  rule "a remote node writes back"
    n != home & node[n].command = NoCommand & node[n].cache = Exclusive
  ==>
  begin
    node[n].cache := Invalid;
    wb := Wb;
    wbFrom := n;
  end;

  rule "a remote node drops a shared copy"
    n != home & node[n].command = NoCommand & node[n].cache = Shared
  ==>
  begin
    node[n].cache := Invalid;
  end;

  rule "a refusal arrives"
    uni[n].kind = UniNak
  ==>
  begin
    uni[n].kind := NoUni;
    undefine uni[n].server;
    node[n].command := NoCommand;
    node[n].marked := false;
  end;

  rule "the home refuses a request"
    n != home & (uni[n].kind = UniGet | uni[n].kind = UniGetX)
    & uni[n].server = home & pending
  ==>
  begin
    uni[n].kind := UniNak;
  end;

  rule "the home forwards a request"
    n != home & (uni[n].kind = UniGet | uni[n].kind = UniGetX)
    & uni[n].server = home & !pending & dirty & !isLocal & headValid & head != n
  ==>
  begin
    pending := true;
    uni[n].server := head;
  end;

  rule "the home gives a shared copy"
    n != home & uni[n].kind = UniGet & uni[n].server = home & !pending & !dirty
  ==>
  begin
    if headValid then
      sharers[n] := true;
    else
      headValid := true;
      head := n;
    end;
    uni[n].kind := UniPut;
  end;

  rule "the home gives up its exclusive copy to a reader"
    n != home & uni[n].kind = UniGet & uni[n].server = home & !pending
    & dirty & isLocal & node[home].cache = Exclusive
  ==>
  begin
    dirty := false;
    headValid := true;
    head := n;
    node[home].cache := Shared;
    uni[n].kind := UniPut;
  end;

  rule "the home gives up its exclusive copy to a writer"
    n != home & uni[n].kind = UniGetX & uni[n].server = home & !pending
    & dirty & isLocal & node[home].cache = Exclusive
  ==>
  begin
    isLocal := false;
    headValid := true;
    head := n;
    for m: Node do
      sharers[m] := false;
    end;
    node[home].cache := Invalid;
    uni[n].kind := UniPutX;
  end;

  rule "the home gives an exclusive copy and invalidates the others"
    n != home & uni[n].kind = UniGetX & uni[n].server = home & !pending & !dirty
  ==>
  begin
    for m: Node do
      toInvalidate[m] := m != home & m != n
        & (headValid & head = m | sharers[m]);
      if m != home & m != n & (headValid & head = m | sharers[m]) then
        inv[m] := Inv;
      end;
    end;
    if exists m: Node do m != home & m != n & (headValid & head = m | sharers[m]) end then
      pending := true;
    end;
    for m: Node do
      sharers[m] := false;
    end;
    isLocal := false;
    dirty := true;
    headValid := true;
    head := n;
    if node[home].command = Get then
      node[home].marked := true;
    end;
    node[home].cache := Invalid;
    uni[n].kind := UniPutX;
  end;

  rule "an invalidation arrives"
    inv[n] = Inv
  ==>
  begin
    inv[n] := InvAck;
    node[n].cache := Invalid;
    if node[n].command = Get then
      node[n].marked := true;
    end;
  end;

  rule "an acknowledgement arrives, others are missing"
    inv[n] = InvAck & pending & toInvalidate[n]
    & exists m: Node do m != n & toInvalidate[m] end
  ==>
  begin
    inv[n] := NoInv;
    toInvalidate[n] := false;
  end;

  rule "the last acknowledgement arrives"
    inv[n] = InvAck & pending & toInvalidate[n]
    & forall m: Node do m = n | !toInvalidate[m] end
  ==>
  begin
    inv[n] := NoInv;
    toInvalidate[n] := false;
    pending := false;
  end;

  rule "a shared copy arrives"
    uni[n].kind = UniPut
  ==>
  begin
    uni[n].kind := NoUni;
    undefine uni[n].server;
    node[n].command := NoCommand;
    if node[n].marked then
      node[n].marked := false;
      node[n].cache := Invalid;
    else
      node[n].cache := Shared;
    end;
  end;

  rule "an exclusive copy arrives"
    uni[n].kind = UniPutX
  ==>
  begin
    uni[n].kind := NoUni;
    undefine uni[n].server;
    node[n].command := NoCommand;
    node[n].marked := false;
    node[n].cache := Exclusive;
  end;
end;

ruleset n: Node; o: Node do
  rule "an owner has written back and refuses"
    n != o & o != home & (uni[n].kind = UniGet | uni[n].kind = UniGetX)
    & uni[n].server = o & node[o].cache != Exclusive
  ==>
  begin
    uni[n].kind := UniNak;
    nakc := true;
  end;

  rule "an owner shares its copy"
    n != o & o != home & uni[n].kind = UniGet & uni[n].server = o
    & node[o].cache = Exclusive
  ==>
  begin
    node[o].cache := Shared;
    uni[n].kind := UniPut;
    shWb := ShWb;
    shWbFrom := n;
  end;

  rule "an owner gives its copy away"
    n != o & o != home & uni[n].kind = UniGetX & uni[n].server = o
    & node[o].cache = Exclusive
  ==>
  begin
    node[o].cache := Invalid;
    uni[n].kind := UniPutX;
    shWb := FAck;
    shWbFrom := n;
  end;
end;

rule "the home asks itself for an exclusive copy"
  node[home].command = NoCommand & node[home].cache = Invalid
  & !pending & !dirty & !headValid & forall m: Node do !sharers[m] end
==>
begin
  isLocal := true;
  dirty := true;
  node[home].cache := Exclusive;
end;

rule "the home drops its exclusive copy"
  node[home].cache = Exclusive & isLocal & dirty & !pending
==>
begin
  isLocal := false;
  dirty := false;
  node[home].cache := Invalid;
end;

rule "the home learns of a refusal"
  nakc
==>
begin
  nakc := false;
  pending := false;
end;

rule "a write-back arrives"
  wb = Wb
==>
begin
  wb := NoWb;
  undefine wbFrom;
  dirty := false;
  headValid := false;
  undefine head;
end;

rule "the home learns that a copy is shared"
  shWb = ShWb
==>
begin
  shWb := NoShWb;
  pending := false;
  dirty := false;
  sharers[shWbFrom] := true;
  undefine shWbFrom;
end;

rule "the home learns of a new owner"
  shWb = FAck
==>
begin
  shWb := NoShWb;
  pending := false;
  if dirty then
    head := shWbFrom;
  end;
  undefine shWbFrom;
end;

invariant "an exclusive copy is the only exclusive copy"
  forall n: Node do
    forall m: Node do
      n != m -> !(node[n].cache = Exclusive & node[m].cache = Exclusive)
    end
  end;
