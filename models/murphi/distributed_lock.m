-- distributed_lock.m: a lock server whose clients pass the lock to each other.
--
-- The server does not keep a queue: it only knows `tail`, the client that asked
-- for the lock last. The first request is granted by the server itself; each
-- later one is forwarded to the client that asked before, which will pass the
-- lock on as soon as it is done. A client that is done but does not know of a
-- successor asks the server to take the lock back. If the server has forwarded
-- another request to it in the meantime, then the server ignores this, and the
-- client passes the lock on once the forwarded request arrives.
--
-- Each client has one message slot for each of: to the server, from the
-- server, from other clients. So a client that has been overtaken cannot ask
-- again before the server has seen its outdated GiveBack, which would
-- otherwise make the server take back a lock that is in use.
--
-- From: written for Burnside; in essence the queue of mcs_lock.m, by messages.
--
-- Scale: N, the number of clients.
--
-- burnside-constants: N = 3
-- burnside-expect: holds
-- burnside-states: unreduced 468, orbits 94
-- burnside-states: N=2 unreduced 57, orbits 30
-- burnside-states: N=4 unreduced 4155, orbits 245

const
  N: 3;

type
  Client: scalarset(N);
  Location: enum {
    Idle,
    Waiting,       -- has asked for the lock
    Holding,       -- has the lock
    Returning      -- still has it, but is done and knows of no successor
  };
  ToServer: enum { NoCall, Request, GiveBack };
  FromServer: enum { NoAnswer, Grant, Forward, TakenBack };

var
  loc: array [Client] of Location;
  successor: array [Client] of Client;      -- undefined if not known

  call: array [Client] of ToServer;
  answer: array [Client] of FromServer;
  forwarded: array [Client] of Client;      -- whom a Forward is about
  pass: array [Client] of boolean;          -- the lock is on its way to it

  tail: Client;                             -- undefined if the lock is free

startstate "lock free"
begin
  for c: Client do
    loc[c] := Idle;
    call[c] := NoCall;
    answer[c] := NoAnswer;
    pass[c] := false;
  end;
  undefine successor;
  undefine forwarded;
  undefine tail;
end;

-- Clients

ruleset c: Client do
  rule "client asks for the lock"
    loc[c] = Idle & call[c] = NoCall
  ==>
  begin
    call[c] := Request;
    loc[c] := Waiting;
  end;

  rule "client gets the lock from the server"
    answer[c] = Grant
  ==>
  begin
    answer[c] := NoAnswer;
    loc[c] := Holding;
  end;

  rule "client gets the lock from another client"
    pass[c]
  ==>
  begin
    pass[c] := false;
    loc[c] := Holding;
  end;

  rule "client learns its successor"
    answer[c] = Forward & loc[c] != Returning
  ==>
  begin
    successor[c] := forwarded[c];
    answer[c] := NoAnswer;
    undefine forwarded[c];
  end;

  rule "client is done and passes the lock on"
    loc[c] = Holding & !isundefined(successor[c])
  ==>
  begin
    pass[successor[c]] := true;
    undefine successor[c];
    loc[c] := Idle;
  end;

  rule "client is done and returns the lock"
    loc[c] = Holding & isundefined(successor[c])
  ==>
  begin
    call[c] := GiveBack;
    loc[c] := Returning;
  end;

  rule "client passes the lock on after all"
    loc[c] = Returning & answer[c] = Forward
  ==>
  begin
    pass[forwarded[c]] := true;
    answer[c] := NoAnswer;
    undefine forwarded[c];
    loc[c] := Idle;
  end;

  rule "client is rid of the lock"
    answer[c] = TakenBack
  ==>
  begin
    answer[c] := NoAnswer;
    loc[c] := Idle;
  end;
end;

-- Server

ruleset c: Client do
  rule "server grants the lock"
    call[c] = Request & isundefined(tail)
  ==>
  begin
    call[c] := NoCall;
    answer[c] := Grant;
    tail := c;
  end;

  rule "server takes the lock back"
    call[c] = GiveBack & !isundefined(tail) & tail = c
  ==>
  begin
    call[c] := NoCall;
    answer[c] := TakenBack;
    undefine tail;
  end;

  rule "server ignores an outdated return"
    call[c] = GiveBack & (isundefined(tail) | tail != c)
  ==>
  begin
    call[c] := NoCall;
  end;
end;

ruleset c: Client; last: Client do
  rule "server forwards a request"
    call[c] = Request & !isundefined(tail) & tail = last
    & answer[last] = NoAnswer
  ==>
  begin
    call[c] := NoCall;
    answer[last] := Forward;
    forwarded[last] := c;
    tail := c;
  end;
end;

-- Properties

invariant "mutual exclusion"
  forall c: Client do
    forall d: Client do
      c != d -> !(loc[c] = Holding & loc[d] = Holding)
    end
  end;

-- The lock is where it is held or where it is going to.
invariant "there is at most one lock"
  forall c: Client do
    forall d: Client do
      c != d ->
        !( (loc[c] = Holding | answer[c] = Grant | pass[c]
            | loc[c] = Returning & answer[c] != TakenBack)
         & (loc[d] = Holding | answer[d] = Grant | pass[d]
            | loc[d] = Returning & answer[d] != TakenBack) )
    end
  end;

invariant "the lock is not lost"
  isundefined(tail)
  | exists c: Client do
      loc[c] = Holding | answer[c] = Grant | pass[c]
      | loc[c] = Returning & answer[c] != TakenBack
    end;

invariant "the lock is passed to waiting clients only"
  forall c: Client do
    answer[c] = Grant | pass[c] -> loc[c] = Waiting & call[c] = NoCall
  end;
