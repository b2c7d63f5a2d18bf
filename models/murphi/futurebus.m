-- futurebus.m: a cache coherence protocol on one snooping bus, after Futurebus+.
--
-- N processors with one cache line each share one bus. A copy is Invalid, Shared, Exclusive (unmodified) or Modified. A
-- processor that needs the bus notes its request, becomes master when the bus is idle, and its command is snooped by each
-- other cache in any order: whoever has a copy says so by its flag `tf`; whoever has a modified one supplies the data
-- (`sr`). When all have snooped, the master finishes. A request that another command overtakes is adapted or dropped. With
-- `-D Faulty=1` a modified copy is not supplied when another processor reads; with `-D Eager=1` more is claimed than holds, as
-- a processor may write to its own copy for ever.
--
-- Simplified: one bus and no bridges, one line, no parallel or split transactions, arbitration by chance; data are only
-- fresh or stale (a ghost: whether a value is that last written).
--
-- A processor has nine bits: the state of its copy (2), its request (3), whether it has snooped (1), its flags `tf` and `sr`
-- (1 each) and whether its data are fresh (1).
--
-- From: after the example in S. Barner and O. Grumberg, "Combining Symmetry Reduction and Under-Approximation for
-- Symbolic Model Checking" (2002), and IEEE 896.1; this one was written for Burnside.
--
-- `futurebus_hints.claims` has hints, `futurebus_wrong.claims` a generator that is no symmetry.
--
-- Scale: N, the number of processors.
--
-- burnside-constants: N = 2, Faulty = 0, Eager = 0
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 129, orbits 67
-- burnside-states: N=3 unreduced 1394, orbits 267

const
  N : 2;
  Faulty : 0;
  Eager : 0;

type
  Proc : scalarset(N);
  Copy : enum { Invalid, Shared, Exclusive, Modified };
  Command : enum { None, ReadShared, ReadModified, Invalidate, CopyBack };

var
  proc : array [Proc] of record
    copy : Copy;
    request : Command;
    snooped : boolean;
    tf : boolean;
    sr : boolean;
    fresh : boolean;
  end;
  master : Proc;
  command : Command;
  memory_fresh : boolean;
  data_fresh : boolean;

startstate
  for p : Proc do
    proc[p].copy := Invalid;
    proc[p].request := None;
    proc[p].snooped := false;
    proc[p].tf := false;
    proc[p].sr := false;
    proc[p].fresh := false;
  end;
  undefine master;
  command := None;
  memory_fresh := true;
  data_fresh := false;
end;

procedure written_by(p : Proc);
begin
  for q : Proc do proc[q].fresh := q = p; end;
  memory_fresh := false;
end;

ruleset p : Proc do
  ruleset r : Command do
    rule "wants the bus"
      proc[p].request = None
        & ( proc[p].copy = Invalid & (r = ReadShared | r = ReadModified)
          | proc[p].copy = Shared & r = Invalidate
          | proc[p].copy = Modified & r = CopyBack )
    ==>
      proc[p].request := r;
    end;
  end;

  rule "writes"
    (proc[p].copy = Exclusive | proc[p].copy = Modified) & proc[p].request = None
      & isundefined(master)
  ==>
    proc[p].copy := Modified;
    written_by(p);
  end;

  rule "gives up a copy"
    (proc[p].copy = Shared | proc[p].copy = Exclusive) & proc[p].request = None
      & isundefined(master)
  ==>
    proc[p].copy := Invalid;
    proc[p].fresh := false;
  end;

  rule "gets the bus"
    isundefined(master) & proc[p].request != None
  ==>
    master := p;
    command := proc[p].request;
    data_fresh := memory_fresh;
    for q : Proc do
      proc[q].snooped := q = p;
      proc[q].tf := false;
      proc[q].sr := false;
    end;
  end;

  rule "snoops a read"
    !isundefined(master) & !proc[p].snooped & command = ReadShared
  ==>
    if proc[p].copy != Invalid then proc[p].tf := true; end;
    if proc[p].copy = Modified & Faulty = 0 then
      proc[p].sr := true;
      data_fresh := proc[p].fresh;
      memory_fresh := proc[p].fresh;
    end;
    if proc[p].copy != Invalid then proc[p].copy := Shared; end;
    if proc[p].request = CopyBack then proc[p].request := None; end;
    proc[p].snooped := true;
  end;

  rule "snoops a command that invalidates"
    !isundefined(master) & !proc[p].snooped & (command = ReadModified | command = Invalidate)
  ==>
    if proc[p].copy = Modified then
      proc[p].sr := true;
      data_fresh := proc[p].fresh;
    end;
    proc[p].copy := Invalid;
    proc[p].fresh := false;
    if proc[p].request = CopyBack then proc[p].request := None; end;
    if proc[p].request = Invalidate then proc[p].request := ReadModified; end;
    proc[p].snooped := true;
  end;

  rule "snoops a copy back"
    !isundefined(master) & !proc[p].snooped & command = CopyBack
  ==>
    proc[p].snooped := true;
  end;

  rule "finishes"
    !isundefined(master) & master = p & forall q : Proc do proc[q].snooped end
  ==>
    switch command
      case ReadShared:
        proc[p].copy := exists q : Proc do proc[q].tf end ? Shared : Exclusive;
        proc[p].fresh := data_fresh;
      case ReadModified:
        proc[p].copy := Modified;
        written_by(p);
      case Invalidate:
        proc[p].copy := Modified;
        written_by(p);
      case CopyBack:
        memory_fresh := proc[p].fresh;
        proc[p].copy := Invalid;
        proc[p].fresh := false;
    end;
    proc[p].request := None;
    undefine master;
    command := None;
    data_fresh := false;
    for q : Proc do
      proc[q].snooped := false;
      proc[q].tf := false;
      proc[q].sr := false;
    end;
  end;
end;

invariant "one writer, no readers beside it"
  forall p : Proc do forall q : Proc do
    (proc[p].copy = Exclusive | proc[p].copy = Modified) & p != q -> proc[q].copy = Invalid
  end end;

invariant "what is read was written last"
  forall p : Proc do proc[p].copy != Invalid -> proc[p].fresh end;

invariant "one copy supplies the data"
  forall p : Proc do forall q : Proc do proc[p].sr & proc[q].sr -> p = q end end;

ctl "the bus becomes free again"
  AG (command != None -> AF command = None);

ctl "the bus is used again and again"
  Eager = 1 -> AG AF command != None;
