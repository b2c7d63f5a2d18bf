-- mcs_lock.m: the list-based queuing lock of Mellor-Crummey and Scott.
--
-- A process that wants the lock appends itself to a queue and then spins on a
-- flag of its own; the holder clears the flag of its successor on release.
-- With `lock` the tail of the queue, and I the process itself:
--
--   acquire:  I.next := nil
--             pred := fetch_and_store(lock, I)
--             if pred != nil
--               I.locked := true
--               pred.next := I
--               repeat while I.locked
--   release:  if I.next = nil
--               if compare_and_swap(lock, I, nil) return
--               repeat while I.next = nil
--             I.next.locked := false
--
-- Every access to shared memory is a step of its own. Pointers are process
-- ids, and the null pointer is the undefined id. A variable is undefined from
-- the moment when it is no longer read before it is written.
--
-- From: J. M. Mellor-Crummey and M. L. Scott, "Algorithms for Scalable
-- Synchronization on Shared-Memory Multiprocessors" (ACM TOCS 1991), a standard
-- example in the literature on symmetry reduction; written for Burnside.
--
-- Scale: N, the number of processes. See mcs_lock_abstract.m for a version in
-- which the local states do not depend on N.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 536, orbits 96
-- burnside-states: N=2 unreduced 52, orbits 27
-- burnside-states: N=4 unreduced 6672, orbits 309

const
  N: 3;

type
  Pid: scalarset(N);
  Location: enum {
    Idle,         -- outside of the lock
    Swap,         -- acquire: fetch and store
    Lock,         -- acquire: set the own flag
    Link,         -- acquire: write the next field of the predecessor
    Spin,         -- acquire: wait for the own flag to be cleared
    Critical,     -- holds the lock
    Check,        -- release: is there a successor?
    CompareSwap,  -- release: none seen, try to empty the queue
    AwaitNext,    -- release: there is one, wait until it has linked itself
    Pass          -- release: clear the flag of the successor
  };

var
  loc: array [Pid] of Location;
  lock: Pid;                        -- the tail of the queue
  next: array [Pid] of Pid;         -- the successor in the queue
  locked: array [Pid] of boolean;   -- the flag that the process spins on
  pred: array [Pid] of Pid;         -- local variable of acquire

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
  undefine next;
  undefine locked;
  undefine pred;
end;

ruleset p: Pid do
  rule "acquire: next := nil"
    loc[p] = Idle
  ==>
  begin
    undefine next[p];
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
    pred[p] := lock;
    lock := p;
    loc[p] := Lock;
  end;

  rule "acquire: locked := true"
    loc[p] = Lock
  ==>
  begin
    locked[p] := true;
    loc[p] := Link;
  end;

  rule "acquire: pred.next := I"
    loc[p] = Link
  ==>
  begin
    next[pred[p]] := p;
    undefine pred[p];
    loc[p] := Spin;
  end;

  rule "acquire: no longer locked"
    loc[p] = Spin & !locked[p]
  ==>
  begin
    undefine locked[p];
    loc[p] := Critical;
  end;

  rule "release"
    loc[p] = Critical
  ==>
  begin
    loc[p] := Check;
  end;

  rule "release: no successor seen"
    loc[p] = Check & isundefined(next[p])
  ==>
  begin
    loc[p] := CompareSwap;
  end;

  rule "release: successor seen"
    loc[p] = Check & !isundefined(next[p])
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

  rule "release: next no longer nil"
    loc[p] = AwaitNext & !isundefined(next[p])
  ==>
  begin
    loc[p] := Pass;
  end;

  rule "release: next.locked := false"
    loc[p] = Pass
  ==>
  begin
    locked[next[p]] := false;
    undefine next[p];
    loc[p] := Idle;
  end;
end;

invariant "mutual exclusion"
  forall p: Pid do
    forall q: Pid do
      p != q -> !(holds(p) & holds(q))
    end
  end;

invariant "the queue is empty iff nobody holds the lock or waits for it"
  isundefined(lock) = forall p: Pid do loc[p] = Idle | loc[p] = Swap end;

invariant "no process is the successor of two"
  forall p: Pid do
    forall q: Pid do
      p != q & !isundefined(next[p]) & !isundefined(next[q])
      -> next[p] != next[q]
    end
  end;

invariant "the lock is passed to processes that wait for it only"
  forall p: Pid do
    loc[p] = Pass -> loc[next[p]] = Spin & locked[next[p]]
  end;
