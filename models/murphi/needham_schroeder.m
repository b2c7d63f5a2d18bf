-- needham_schroeder.m: the Needham-Schroeder public-key protocol, which is
-- broken.
--
-- Initiator A and responder B want to be sure of each other's identity and to
-- share the nonces NA and NB; {...}B is encrypted with the public key of B:
--
--   1.  A -> B:  {NA, A}B
--   2.  B -> A:  {NA, NB}A
--   3.  A -> B:  {NB}B
--
-- There are N initiators and N responders, each of which runs the protocol
-- once, and an intruder, who is also a legitimate agent with a nonce and a key
-- of its own. The intruder is the network: it overhears all messages, decrypts
-- those that are encrypted with its own key, and decides what is delivered to
-- whom: a message that an honest agent has sent, as it is, or one that is
-- composed of nonces that the intruder knows. Hence there is no need to store
-- messages: what an honest agent has sent follows from its state. A nonce is
-- represented by the agent who has made it up. A run may be given up at any
-- time; the next one has new nonces, so that nothing the intruder has learned
-- is of use any more, and it begins in the initial state again.
--
-- The property fails by the attack that Lowe found: A runs the protocol with
-- the intruder, who uses NA to run it with B in the name of A, and has A
-- decrypt NB:
--
--   1.  A -> I:     {NA, A}I        1'.  I(A) -> B:  {NA, A}B
--   2.  I -> A:     {NA, NB}A       2'.  B -> I(A):  {NA, NB}A
--   3.  A -> I:     {NB}I           3'.  I(A) -> B:  {NB}B
--
-- From: R. M. Needham and M. D. Schroeder, "Using Encryption for Authentication
-- in Large Networks of Computers" (CACM 1978); the attack is from G. Lowe, "An
-- Attack on the Needham-Schroeder Public-Key Authentication Protocol" (IPL
-- 1995), and was found with Murphi by J. C. Mitchell, M. Mitchell and U. Stern,
-- "Automated Analysis of Cryptographic Protocols Using Murphi" (S&P 1997);
-- written for Burnside. needham_schroeder_lowe.m is the repaired protocol.
--
-- Scale: N, the number of initiators and also that of responders.
-- The states are those that there are when the search goes on after the
-- violation.
--
-- burnside-constants: N = 2
-- burnside-expect: violated "a responder has talked to the initiator it thinks"
-- burnside-states: unreduced 10425, orbits 2732
-- burnside-states: N=1 unreduced 38, orbits 38

const
  N: 2;

type
  Initiator: scalarset(N);
  Responder: scalarset(N);
  Agent: union { Initiator, Responder, enum { Intruder } };
  Nonce: Agent;                  -- the agent who has made it up

  InitiatorState: enum {
    InitiatorIdle,
    AwaitsReply,                 -- has sent message 1
    InitiatorDone                -- has received message 2 and sent message 3
  };

  ResponderState: enum {
    ResponderIdle,
    AwaitsConfirmation,          -- has received message 1 and sent message 2
    ResponderDone                -- has received message 3
  };

var
  ini: array [Initiator] of record
    state: InitiatorState;
    peer: Agent;                 -- a responder or the intruder
    peerNonce: Nonce;
  end;

  res: array [Responder] of record
    state: ResponderState;
    peer: Agent;                 -- an initiator or the intruder
    peerNonce: Nonce;
  end;

  known: array [Nonce] of boolean;    -- by the intruder

procedure beginRun();
begin
  undefine ini;
  undefine res;
  for a: Initiator do
    ini[a].state := InitiatorIdle;
    known[a] := false;
  end;
  for b: Responder do
    res[b].state := ResponderIdle;
    known[b] := false;
  end;
  known[Intruder] := true;
end;

procedure acceptMessage1(b: Responder; na: Nonce; a: Agent);
begin
  res[b].state := AwaitsConfirmation;
  res[b].peer := a;
  res[b].peerNonce := na;
  if a = Intruder then           -- message 2 can be decrypted
    known[na] := true;
    known[b] := true;
  end;
end;

procedure acceptMessage2(a: Initiator; nb: Nonce);
begin
  ini[a].state := InitiatorDone;
  ini[a].peerNonce := nb;
  if ini[a].peer = Intruder then -- message 3 can be decrypted
    known[nb] := true;
  end;
end;

startstate "a new run"
begin
  beginRun();
end;

rule "give up"
  exists a: Initiator do ini[a].state != InitiatorIdle end
  | exists b: Responder do res[b].state != ResponderIdle end
==>
begin
  beginRun();
end;

-- Message 1: {NA, A}B

ruleset a: Initiator; b: Agent do
  rule "initiator sends message 1"
    ini[a].state = InitiatorIdle & !ismember(b, Initiator)
  ==>
  begin
    ini[a].state := AwaitsReply;
    ini[a].peer := b;
    if b = Intruder then
      known[a] := true;
    end;
  end;
end;

ruleset b: Responder; a: Initiator do
  rule "responder receives message 1 of an initiator"
    res[b].state = ResponderIdle
    & ini[a].state != InitiatorIdle & ini[a].peer = b
  ==>
  begin
    acceptMessage1(b, a, a);
  end;
end;

ruleset b: Responder; na: Nonce; a: Agent do
  rule "responder receives message 1 of the intruder"
    res[b].state = ResponderIdle & known[na] & !ismember(a, Responder)
  ==>
  begin
    acceptMessage1(b, na, a);
  end;
end;

-- Message 2: {NA, NB}A

ruleset a: Initiator; b: Responder do
  rule "initiator receives message 2 of a responder"
    ini[a].state = AwaitsReply
    & res[b].state != ResponderIdle & res[b].peer = a & res[b].peerNonce = a
  ==>
  begin
    acceptMessage2(a, b);
  end;
end;

ruleset a: Initiator; nb: Nonce do
  rule "initiator receives message 2 of the intruder"
    ini[a].state = AwaitsReply & known[a] & known[nb]
  ==>
  begin
    acceptMessage2(a, nb);
  end;
end;

-- Message 3: {NB}B

ruleset b: Responder; a: Initiator do
  rule "responder receives message 3 of an initiator"
    res[b].state = AwaitsConfirmation
    & ini[a].state = InitiatorDone & ini[a].peer = b & ini[a].peerNonce = b
  ==>
  begin
    res[b].state := ResponderDone;
  end;
end;

ruleset b: Responder do
  rule "responder receives message 3 of the intruder"
    res[b].state = AwaitsConfirmation & known[b]
  ==>
  begin
    res[b].state := ResponderDone;
  end;
end;

-- Properties

invariant "an initiator has talked to the responder it thinks"
  forall a: Initiator do
    forall b: Responder do
      ini[a].state = InitiatorDone & ini[a].peer = b ->
        res[b].state != ResponderIdle & res[b].peer = a
        & res[b].peerNonce = a & ini[a].peerNonce = b
    end
  end;

invariant "the nonce of an initiator is secret"
  forall a: Initiator do
    ini[a].state != InitiatorIdle & ini[a].peer != Intruder -> !known[a]
  end;

-- The attack. The nonce of the responder is not secret either.
invariant "a responder has talked to the initiator it thinks"
  forall b: Responder do
    forall a: Initiator do
      res[b].state = ResponderDone & res[b].peer = a ->
        ini[a].state = InitiatorDone & ini[a].peer = b
        & ini[a].peerNonce = b & res[b].peerNonce = a
    end
  end;
