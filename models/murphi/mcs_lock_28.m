-- mcs_lock_28.m: mcs_lock_abstract.m line by line, with 28 local states.
--
-- The two operations of the queuing lock of Mellor-Crummey and Scott, one step
-- for each line of their text, with the flag on which a process spins:
--
--   acquire:  I.next := nil                           ClearNext
--             pred := fetch_and_store(lock, I)        Swap
--             if pred != nil                          SawNone, SawOne
--               I.locked := true                      SetLocked
--               pred.next := I                        Link
--               repeat while I.locked                 Spin
--   release:  if I.next = nil                         Check
--               if compare_and_swap(lock, I, nil)     CompareSwap
--                 return                              Leave
--               repeat while I.next = nil             AwaitNext
--             I.next.locked := false                  Pass
--
-- With Idle and Critical, 14 locations and one flag: 28 local states. Pointers
-- to other processes are gone, as in mcs_lock_abstract.m: a release may hand
-- the lock to any process that spins, and "next is not nil" became "some
-- process spins". This is conservative: what holds here holds of the lock with
-- its queue.
--
-- From: the second example in Section 6 of E. A. Emerson and T. Wahl, "On
-- Combining Symmetry Reduction and Symbolic Representation for Efficient Model
-- Checking" (CHARME 2003); written for Burnside. The paper does not print its
-- program; it has 28 local states as this one, which is reconstructed from the
-- description, so that sizes compare, but reachable states need not.
--
-- Scale: N, the number of processes.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 2167, orbits 388
-- burnside-states: N=2 unreduced 104, orbits 54
-- burnside-states: N=4 unreduced 31272, orbits 1624

const
  N: 3;

type
  Pid: scalarset(N);
  Location: enum {
    Idle, ClearNext, Swap, SawNone, SawOne, SetLocked, Link, Spin,
    Critical, Check, CompareSwap, Leave, AwaitNext, Pass
  };

var
  loc: array [Pid] of Location;
  locked: array [Pid] of boolean;   -- the flag that the process spins on
  lock: Pid;                        -- the last to queue; undefined if none

function spins(p: Pid): boolean;
begin
  return loc[p] = Spin & locked[p];
end;

function someSpins(): boolean;
begin
  return exists p: Pid do spins(p) end;
end;

-- From the empty queue or the cleared flag on, up to the step that gives the
-- lock away.
function holds(p: Pid): boolean;
begin
  return loc[p] = SawNone | (loc[p] = Spin & !locked[p]) | loc[p] = Critical
       | loc[p] = Check | loc[p] = CompareSwap | loc[p] = AwaitNext
       | loc[p] = Pass;
end;

startstate "all idle"
begin
  for p: Pid do
    loc[p] := Idle;
    locked[p] := false;
  end;
  undefine lock;
end;

ruleset p: Pid do
  rule "acquire"
    loc[p] = Idle
  ==>
  begin
    loc[p] := ClearNext;
  end;

  rule "acquire: next := nil"
    loc[p] = ClearNext
  ==>
  begin
    loc[p] := Swap;
  end;

  rule "acquire: fetch and store, queue empty"
    loc[p] = Swap & isundefined(lock)
  ==>
  begin
    lock := p;
    loc[p] := SawNone;
  end;

  rule "acquire: fetch and store, queue not empty"
    loc[p] = Swap & !isundefined(lock)
  ==>
  begin
    lock := p;
    loc[p] := SawOne;
  end;

  rule "acquire: no predecessor"
    loc[p] = SawNone
  ==>
  begin
    loc[p] := Critical;
  end;

  rule "acquire: a predecessor"
    loc[p] = SawOne
  ==>
  begin
    loc[p] := SetLocked;
  end;

  rule "acquire: locked := true"
    loc[p] = SetLocked
  ==>
  begin
    locked[p] := true;
    loc[p] := Link;
  end;

  rule "acquire: pred.next := I"
    loc[p] = Link
  ==>
  begin
    loc[p] := Spin;
  end;

  rule "acquire: no longer locked"
    loc[p] = Spin & !locked[p]
  ==>
  begin
    loc[p] := Critical;
  end;

  rule "release"
    loc[p] = Critical
  ==>
  begin
    loc[p] := Check;
  end;

  -- Another process may spin without being the successor of p, so this is
  -- possible whether or not some process does.
  rule "release: no successor seen"
    loc[p] = Check
  ==>
  begin
    loc[p] := CompareSwap;
  end;

  rule "release: successor seen"
    loc[p] = Check & lock != p & someSpins()
  ==>
  begin
    loc[p] := Pass;
  end;

  rule "release: compare and swap succeeds"
    loc[p] = CompareSwap & lock = p
  ==>
  begin
    undefine lock;
    loc[p] := Leave;
  end;

  rule "release: compare and swap fails"
    loc[p] = CompareSwap & lock != p
  ==>
  begin
    loc[p] := AwaitNext;
  end;

  rule "release: return"
    loc[p] = Leave
  ==>
  begin
    loc[p] := Idle;
  end;

  rule "release: next no longer nil"
    loc[p] = AwaitNext & someSpins()
  ==>
  begin
    loc[p] := Pass;
  end;
end;

ruleset p: Pid; heir: Pid do
  rule "release: next.locked := false"
    loc[p] = Pass & spins(heir)
  ==>
  begin
    locked[heir] := false;
    loc[p] := Idle;
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(holds(p) & holds(q))
    end
  end;

invariant "not all processes are stuck in a busy-wait"
  exists p: Pid do
    !spins(p) & (loc[p] = AwaitNext -> someSpins())
  end;
