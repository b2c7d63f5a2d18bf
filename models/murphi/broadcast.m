-- broadcast.m: a rumour that everybody else hears, and who may never tell it.
--
-- All but one process know the latest rumour. One who knows it tells it to all
-- others and then forgets it. The states are one orbit, with a step for each of
-- those who know, which differ only in how they exchange processes. Under a
-- scheduler that is fair to processes everybody forgets again and again. Who follows
-- only one of the steps, or takes none to exchange anybody, concludes something else.
--
-- From: a trap for symmetry reduction of liveness; written for Burnside.
--
-- Scale: N >= 2, the number of processes.
--   unreduced = N
--   orbits    = 1
--
-- burnside-constants: N = 3
-- burnside-expect: violated "nobody knows for ever"
-- burnside-states: unreduced 3, orbits 1
-- burnside-states: N=5 unreduced 5, orbits 1
-- burnside-ltl: violated "nobody knows for ever"
-- burnside-ltl: holds "somebody always knows"
-- burnside-ctl: holds "everybody may be the next to forget"

const
  N: 3;

type
  Pid: scalarset(N);

var
  knows: array [Pid] of boolean;

ruleset p: Pid do
  startstate "one does not know"
  begin
    for q: Pid do
      knows[q] := q != p;
    end;
  end;
end;

ruleset p: Pid do
  rule "tell all others"
    knows[p]
  ==>
  begin
    for q: Pid do
      knows[q] := q != p;
    end;
  end;
end;

ltl "nobody knows for ever"
  forall p: Pid do G F !knows[p] end;

ltl "somebody always knows"
  G (exists p: Pid do knows[p] end);

ctl "everybody may be the next to forget"
  forall p: Pid do AG (knows[p] -> EX !knows[p]) end;
