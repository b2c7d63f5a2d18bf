-- ring_election.m: the election of a leader on an anonymous ring.
--
-- N nodes without names sit on a ring, each with a queue to the next one. Every
-- node that is still a candidate chooses an identity among 1 .. Ids, not
-- necessarily a different one, and sends it around with the number of nodes that
-- it has reached and whether it has met no equal. A greater identity makes a
-- candidate give up; a smaller one is taken off the ring. A candidate whose own
-- message comes back is the leader if it has met no equal, and otherwise chooses
-- anew. When there is a leader, there may be another election.
--
-- From: A. Itai and M. Rodeh, "Symmetry breaking in distributed networks" (1990),
-- in the form without rounds for queues that keep the order, algorithm B of
-- W. Fokkink and J. Pang, "Variations on Itai-Rodeh leader election for anonymous
-- rings and their analysis in PRISM" (2006); written for Burnside. The choice is
-- nondeterministic here.
--
-- Scale: N >= 2, the number of nodes, and Ids, the number of identities. All
-- nodes do the same, and a message knows nobody: the symmetry is the N rotations.
-- (Chang and Roberts' election needs different identities from the start, which
-- leaves no symmetry.)
--
-- burnside-constants: N = 3, Ids = 2
-- burnside-expect: holds
-- burnside-states: unreduced 412, orbits 142
-- burnside-states: N=2 unreduced 35, orbits 20
-- burnside-states: N=4 unreduced 3837, orbits 979
-- burnside-states: Ids=3 unreduced 967, orbits 329

const
  N: 3;
  Ids: 2;

type
  Node: ring(N);
  Id: 1 .. Ids;
  Hops: 1 .. N;
  Place: 0 .. N - 1;
  Role: enum { Choosing, Candidate, Passive, Leader };
  Message: record
    id: Id;
    hops: Hops;            -- how many nodes it has reached when it arrives
    alone: boolean;        -- whether it has met no equal identity
  end;

var
  role: array [Node] of Role;
  own: array [Node] of Id;
  -- The queue to a node from the one before, the oldest message first.
  queue: array [Node] of array [Place] of Message;
  length: array [Node] of 0 .. N;

procedure send(to_node: Node; id: Id; hops: Hops; alone: boolean);
begin
  assert length[to_node] < N "the queue is full";
  alias message: queue[to_node][length[to_node]] do
    message.id := id;
    message.hops := hops;
    message.alone := alone;
  end;
  length[to_node] := length[to_node] + 1;
end;

procedure take(node: Node);
begin
  for i: 0 .. N - 2 do
    queue[node][i] := queue[node][i + 1];
  end;
  undefine queue[node][N - 1];
  length[node] := length[node] - 1;
end;

startstate "all are candidates"
begin
  undefine own;
  undefine queue;
  for i: Node do
    role[i] := Choosing;
    length[i] := 0;
  end;
end;

ruleset i: Node; id: Id do
  rule "choose an identity"
    role[i] = Choosing
  ==>
  begin
    own[i] := id;
    role[i] := Candidate;
    send(next(i), id, 1, true);
  end;
end;

ruleset i: Node do
  rule "pass a message on"
    role[i] = Passive & length[i] > 0
  ==>
  begin
    send(next(i), queue[i][0].id, queue[i][0].hops + 1, queue[i][0].alone);
    take(i);
  end;

  rule "one's own message is back"
    role[i] = Candidate & length[i] > 0 & queue[i][0].hops = N
  ==>
  begin
    if queue[i][0].alone then
      role[i] := Leader;
    else
      role[i] := Choosing;
    end;
    undefine own[i];
    take(i);
  end;

  rule "the message of another candidate"
    role[i] = Candidate & length[i] > 0 & queue[i][0].hops < N
  ==>
  begin
    if queue[i][0].id = own[i] then
      send(next(i), queue[i][0].id, queue[i][0].hops + 1, false);
    elsif queue[i][0].id > own[i] then
      role[i] := Passive;
      undefine own[i];
      send(next(i), queue[i][0].id, queue[i][0].hops + 1, queue[i][0].alone);
    end;
    take(i);
  end;
end;

rule "another election"
  exists i: Node do role[i] = Leader end
==>
begin
  for i: Node do
    role[i] := Choosing;
  end;
end;

invariant "there is at most one leader"
  forall i: Node do
    forall j: Node do
      role[i] = Leader & role[j] = Leader -> i = j
    end
  end;

invariant "when there is a leader, the others have given up"
  forall i: Node do
    role[i] = Leader -> forall j: Node do j = i | role[j] = Passive end
  end;

invariant "when there is a leader, nothing is on its way"
  forall i: Node do
    role[i] = Leader -> forall j: Node do length[j] = 0 end
  end;

liveness "a leader can be elected"
  exists i: Node do role[i] = Leader end;
