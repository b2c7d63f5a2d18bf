-- msi.m: a directory-based MSI cache coherence protocol over an unordered
-- network.
--
-- N processors cache one line of memory, which is kept by a directory. The
-- copy of a processor is invalid (I), shared (S, may be read) or modified (M,
-- may be read and written). The directory knows the owner of a modified copy,
-- and a superset of the sharers, as shared copies are dropped silently. To get
-- a copy, a processor sends GetS or GetM to the directory, which
--   - answers with the data, if there is no copy in the way;
--   - forwards the request to the owner, if there is one. The owner sends the
--     data to the requester, and tells the directory;
--   - else, for GetM, invalidates the sharers first and collects their acks.
-- In the latter two cases the directory is busy, and other requests wait in the
-- network. An owner gives the line back by PutM.
--
-- Messages may overtake each other, which makes for these races:
--   - an Inv may arrive before the data of the copy that it is about, or after
--     that copy was dropped. The processor cannot tell, so in both cases it
--     drops the data when it arrives (IS to ISI), and may ask again;
--   - a forwarded request may arrive at an owner before its data: it waits;
--   - or after the owner has sent a PutM: the owner still answers (MI to II).
--     The directory does not take a PutM while it is busy, so that the PutAck
--     cannot come first.
--
-- The directory and the processors together are the nodes of the network (a
-- union), and the messages in transit are a multiset. Data that is not valid is
-- undefined. The ghost variable `last` is the value that was last stored.
--
-- From: the protocol is folklore (see D. J. Sorin, M. D. Hill and D. A. Wood,
-- "A Primer on Memory Consistency and Cache Coherence", 2011, for its
-- relatives); this one was written for Burnside.
--
-- Scale: N, the number of processors; also Values, the number of values of a
-- line.
--
-- burnside-constants: N = 2, Values = 2
-- burnside-expect: holds
-- burnside-states: unreduced 1086, orbits 276
-- burnside-states: N=1 unreduced 24, orbits 12
-- burnside-states: N=3 unreduced 41202, orbits 3588
-- burnside-states: N=3, Values=1 unreduced 12624, orbits 2221

const
  N: 2;
  Values: 2;
  -- At most one request or answer per processor, and besides, for the request
  -- that the directory is busy with, either one Inv or InvAck per processor
  -- other than the requester or one message between directory and owner.
  NetMax: 2 * N;

type
  Proc: scalarset(N);
  Value: scalarset(Values);
  Node: union { enum { Directory }, Proc };

  MessageKind: enum {
    GetS, GetM,              -- processor to directory: requests
    PutM,                    --   the line is given back, with data
    ShareData, OwnData,      -- to the requester: a copy, with data
    FwdGetS, FwdGetM,        -- directory to owner: a forwarded request
    WriteBack,               -- owner to directory: FwdGetS done, with data
    Transferred,             -- owner to directory: FwdGetM done
    Inv, InvAck,             -- directory to sharer, and back
    PutAck                   -- directory to processor: PutM taken
  };

  Message: record
    kind: MessageKind;
    src: Node;
    dst: Node;
    requester: Proc;         -- FwdGetS and FwdGetM only
    val: Value;              -- messages with data only
  end;

  ProcState: enum {
    I, S, M,
    IS,                      -- GetS sent
    ISI,                     -- GetS sent, to drop the data when it arrives
    IM,                      -- GetM sent
    MI,                      -- PutM sent, still has the data
    II                       -- PutM sent, but has passed the data on meanwhile
  };

  DirState: enum {
    Uncached,
    SharedBy,                -- by (some of) dir.sharers
    OwnedBy,                 -- by dir.owner, perhaps with the data in transit
    Invalidating,            -- dir.sharers are yet to ack, for dir.requester
    Downgrading,             -- dir.owner is to write back, for dir.requester
    Transferring             -- dir.owner is to pass its copy to dir.requester
  };

var
  proc: array [Proc] of record
    state: ProcState;
    val: Value;
  end;

  dir: record
    state: DirState;
    sharers: array [Proc] of boolean;
    owner: Proc;
    requester: Proc;
    val: Value;              -- the memory
  end;

  net: multiset [NetMax] of Message;

  last: Value;               -- ghost: the last value stored

procedure send(kind: MessageKind; src: Node; dst: Node);
var
  msg: Message;
begin
  undefine msg;
  msg.kind := kind;
  msg.src := src;
  msg.dst := dst;
  multisetadd(msg, net);
end;

procedure sendData(kind: MessageKind; src: Node; dst: Node; val: Value);
var
  msg: Message;
begin
  undefine msg;
  msg.kind := kind;
  msg.src := src;
  msg.dst := dst;
  msg.val := val;
  multisetadd(msg, net);
end;

procedure forward(kind: MessageKind; owner: Proc; requester: Proc);
var
  msg: Message;
begin
  undefine msg;
  msg.kind := kind;
  msg.src := Directory;
  msg.dst := owner;
  msg.requester := requester;
  multisetadd(msg, net);
end;

function hasSharers(): boolean;
begin
  return exists p: Proc do dir.sharers[p] end;
end;

function idle(): boolean;
begin
  return dir.state = Uncached | dir.state = SharedBy | dir.state = OwnedBy;
end;

-- From now on the memory is out of date.
procedure grantOwnership(p: Proc);
begin
  sendData(OwnData, Directory, p, dir.val);
  dir.state := OwnedBy;
  dir.owner := p;
  undefine dir.val;
end;

ruleset v: Value do
  startstate "no copies"
  begin
    for p: Proc do
      proc[p].state := I;
      undefine proc[p].val;
      dir.sharers[p] := false;
    end;
    dir.state := Uncached;
    undefine dir.owner;
    undefine dir.requester;
    dir.val := v;
    undefine net;
    last := v;
  end;
end;

-- Processors act

ruleset p: Proc do
  rule "processor wants to read"
    proc[p].state = I
  ==>
  begin
    proc[p].state := IS;
    send(GetS, p, Directory);
  end;

  rule "processor wants to write"
    proc[p].state = I | proc[p].state = S
  ==>
  begin
    proc[p].state := IM;
    undefine proc[p].val;
    send(GetM, p, Directory);
  end;

  rule "processor drops its shared copy"
    proc[p].state = S
  ==>
  begin
    proc[p].state := I;
    undefine proc[p].val;
  end;

  rule "processor gives its modified copy back"
    proc[p].state = M
  ==>
  begin
    proc[p].state := MI;
    sendData(PutM, p, Directory, proc[p].val);
  end;
end;

ruleset p: Proc; v: Value do
  rule "processor stores"
    proc[p].state = M
  ==>
  begin
    proc[p].val := v;
    last := v;
  end;
end;

-- Processors receive messages

ruleset p: Proc do
  choose m: net do
    rule "processor receives a shared copy"
      net[m].dst = p & net[m].kind = ShareData
    ==>
    begin
      if proc[p].state = ISI then
        proc[p].state := I;
      else
        assert proc[p].state = IS "shared copy not asked for";
        proc[p].state := S;
        proc[p].val := net[m].val;
      end;
      multisetremove(m, net);
    end;

    rule "processor receives a modified copy"
      net[m].dst = p & net[m].kind = OwnData
    ==>
    begin
      assert proc[p].state = IM "modified copy not asked for";
      proc[p].state := M;
      proc[p].val := net[m].val;
      multisetremove(m, net);
    end;

    rule "processor is invalidated"
      net[m].dst = p & net[m].kind = Inv
    ==>
    begin
      assert proc[p].state != M & proc[p].state != MI "owner is invalidated";
      if proc[p].state = S then
        proc[p].state := I;
        undefine proc[p].val;
      elsif proc[p].state = IS then
        proc[p].state := ISI;
      end;
      multisetremove(m, net);
      send(InvAck, p, Directory);
    end;

    rule "processor shares its modified copy"
      net[m].dst = p & net[m].kind = FwdGetS
      & (proc[p].state = M | proc[p].state = MI)
    ==>
    var
      requester: Proc;
    begin
      requester := net[m].requester;
      multisetremove(m, net);
      sendData(ShareData, p, requester, proc[p].val);
      sendData(WriteBack, p, Directory, proc[p].val);
      if proc[p].state = M then
        proc[p].state := S;
      else
        proc[p].state := II;
        undefine proc[p].val;
      end;
    end;

    rule "processor passes its modified copy on"
      net[m].dst = p & net[m].kind = FwdGetM
      & (proc[p].state = M | proc[p].state = MI)
    ==>
    var
      requester: Proc;
    begin
      requester := net[m].requester;
      multisetremove(m, net);
      sendData(OwnData, p, requester, proc[p].val);
      send(Transferred, p, Directory);
      if proc[p].state = M then
        proc[p].state := I;
      else
        proc[p].state := II;
      end;
      undefine proc[p].val;
    end;

    rule "processor has given its modified copy back"
      net[m].dst = p & net[m].kind = PutAck
    ==>
    begin
      assert proc[p].state = MI | proc[p].state = II "nothing was given back";
      proc[p].state := I;
      undefine proc[p].val;
      multisetremove(m, net);
    end;
  end;
end;

-- The directory receives messages

ruleset p: Proc do
  choose m: net do
    rule "directory receives GetS"
      net[m].src = p & net[m].kind = GetS & idle()
    ==>
    begin
      multisetremove(m, net);
      if dir.state = OwnedBy then
        dir.state := Downgrading;
        dir.requester := p;
        forward(FwdGetS, dir.owner, p);
      else
        dir.state := SharedBy;
        dir.sharers[p] := true;
        sendData(ShareData, Directory, p, dir.val);
      end;
    end;

    rule "directory receives GetM"
      net[m].src = p & net[m].kind = GetM & idle()
    ==>
    begin
      multisetremove(m, net);
      if dir.state = OwnedBy then
        dir.state := Transferring;
        dir.requester := p;
        forward(FwdGetM, dir.owner, p);
      else
        dir.sharers[p] := false;
        if hasSharers() then
          dir.state := Invalidating;
          dir.requester := p;
          for q: Proc do
            if dir.sharers[q] then
              send(Inv, Directory, q);
            end;
          end;
        else
          grantOwnership(p);
        end;
      end;
    end;

    rule "directory receives InvAck"
      net[m].src = p & net[m].kind = InvAck
    ==>
    begin
      multisetremove(m, net);
      dir.sharers[p] := false;
      if !hasSharers() then
        grantOwnership(dir.requester);
        undefine dir.requester;
      end;
    end;

    rule "directory receives WriteBack"
      net[m].src = p & net[m].kind = WriteBack
    ==>
    begin
      dir.val := net[m].val;
      multisetremove(m, net);
      dir.state := SharedBy;
      dir.sharers[p] := true;
      dir.sharers[dir.requester] := true;
      undefine dir.owner;
      undefine dir.requester;
    end;

    rule "directory receives Transferred"
      net[m].src = p & net[m].kind = Transferred
    ==>
    begin
      multisetremove(m, net);
      dir.state := OwnedBy;
      dir.owner := dir.requester;
      undefine dir.requester;
    end;

    rule "directory receives PutM"
      net[m].src = p & net[m].kind = PutM & idle()
    ==>
    begin
      if dir.state = OwnedBy & dir.owner = p then
        dir.state := Uncached;
        dir.val := net[m].val;
        undefine dir.owner;
      end;
      multisetremove(m, net);
      send(PutAck, Directory, p);
    end;
  end;
end;

-- Properties

invariant "a modified copy is the only copy"
  forall p: Proc do
    proc[p].state = M ->
      forall q: Proc do
        q != p -> proc[q].state != S & proc[q].state != M
      end
  end;

invariant "every copy has the value last stored"
  forall p: Proc do
    proc[p].state = S | proc[p].state = M -> proc[p].val = last
  end;

invariant "the memory has the value last stored unless there is an owner"
  dir.state = Uncached | dir.state = SharedBy | dir.state = Invalidating
  -> dir.val = last;

invariant "the directory knows of every copy"
  forall p: Proc do
    (proc[p].state = M ->
      dir.owner = p | dir.state = Transferring & dir.requester = p)
    & (proc[p].state = S -> dir.sharers[p] | dir.state = Downgrading)
  end;

invariant "at most one answer is on its way to a processor"
  forall p: Proc do
    multisetcount(m: net,
      net[m].dst = p
      & (net[m].kind = ShareData | net[m].kind = OwnData
        | net[m].kind = PutAck)) <= 1
  end;
