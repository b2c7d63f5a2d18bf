-- mcs_lock_abstract.m: the queuing lock of Mellor-Crummey and Scott without its
-- queue, so that the number of local states does not depend on N.
--
-- This is a conservative abstraction of mcs_lock.m: the next pointers are gone,
-- and a release may hand the lock to any process that is ready, that is, spins
-- on its flag. What is left of a next pointer is whether there is a ready
-- process at all; "next is not nil" of the original implies this, and it also
-- implies that the releasing process is not the tail of the queue. The order of
-- the queue is lost, but mutual exclusion and the absence of deadlock survive,
-- hence they hold of the lock with FIFO order as well.
--
-- From: the second example in Section 6 of E. A. Emerson and T. Wahl, "On
-- Combining Symmetry Reduction and Symbolic Representation for Efficient Model
-- Checking" (CHARME 2003); written for Burnside. The paper does not print its
-- program, which has 28 local states, as mcs_lock_28.m has; this one has 9, and
-- is reconstructed from the description.
--
-- Scale: N, the number of processes.
--
-- burnside-constants: N = 4
-- burnside-expect: holds
-- burnside-for-all: N
-- burnside-states: unreduced 2660, orbits 164
-- burnside-states: N=2 unreduced 34, orbits 18
-- burnside-states: N=3 unreduced 362, orbits 68

const
  N: 4;

type
  Pid: scalarset(N);
  Location: enum {
    Idle,         -- outside of the lock
    Swap,         -- acquire: fetch and store
    Link,         -- acquire: queued, but not yet known to the predecessor
    Ready,        -- acquire: spins until the lock is handed over
    Critical,     -- holds the lock
    Check,        -- release: is there a successor?
    CompareSwap,  -- release: none seen, try to empty the queue
    AwaitNext,    -- release: there is one, wait until it is ready
    Pass          -- release: hand the lock over
  };

var
  loc: array [Pid] of Location;
  lock: Pid;                        -- the last to queue; undefined if none

function someReady(): boolean;
begin
  return exists p: Pid do loc[p] = Ready end;
end;

function holds(p: Pid): boolean;
begin
  return loc[p] = Critical | loc[p] = Check | loc[p] = CompareSwap
       | loc[p] = AwaitNext | loc[p] = Pass;
end;

startstate "all idle"
begin
  for p: Pid do
    loc[p] := Idle;
  end;
  undefine lock;
end;

ruleset p: Pid do
  rule "acquire"
    loc[p] = Idle
  ==>
  begin
    loc[p] := Swap;
  end;

  rule "acquire: fetch and store, queue empty"
    loc[p] = Swap & isundefined(lock)
  ==>
  begin
    lock := p;
    loc[p] := Critical;
  end;

  rule "acquire: fetch and store, queue not empty"
    loc[p] = Swap & !isundefined(lock)
  ==>
  begin
    lock := p;
    loc[p] := Link;
  end;

  rule "acquire: get ready"
    loc[p] = Link
  ==>
  begin
    loc[p] := Ready;
  end;

  rule "release"
    loc[p] = Critical
  ==>
  begin
    loc[p] := Check;
  end;

  -- Another process may be ready without being the successor of p, so this is
  -- possible whether or not some process is.
  rule "release: no successor seen"
    loc[p] = Check
  ==>
  begin
    loc[p] := CompareSwap;
  end;

  rule "release: successor seen"
    loc[p] = Check & lock != p & someReady()
  ==>
  begin
    loc[p] := Pass;
  end;

  rule "release: compare and swap succeeds"
    loc[p] = CompareSwap & lock = p
  ==>
  begin
    undefine lock;
    loc[p] := Idle;
  end;

  rule "release: compare and swap fails"
    loc[p] = CompareSwap & lock != p
  ==>
  begin
    loc[p] := AwaitNext;
  end;

  rule "release: a successor is ready"
    loc[p] = AwaitNext & someReady()
  ==>
  begin
    loc[p] := Pass;
  end;
end;

ruleset p: Pid; heir: Pid do
  rule "release: pass the lock"
    loc[p] = Pass & loc[heir] = Ready
  ==>
  begin
    loc[p] := Idle;
    loc[heir] := Critical;
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(holds(p) & holds(q))
    end
  end;

invariant "the queue is empty iff nobody holds the lock"
  isundefined(lock) = forall p: Pid do !holds(p) end;

invariant "not all processes are stuck in a busy-wait"
  exists p: Pid do
    loc[p] != Ready & (loc[p] = AwaitNext -> someReady())
  end;
