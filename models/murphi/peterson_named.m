-- Peterson's mutual exclusion for two processes that are written out one by one: each has its own variables and its own
-- rules, and `turn` names one of them. No type is declared to be symmetric; exchanging the variables, the values of
-- `turn` and the rules of the two all at once is found to be a symmetry.
--
-- burnside-expect: holds
-- burnside-states: unreduced 20, orbits 10

type
  Process : enum { Left, Right };
  Place : enum { Idle, Raise, Wait, Critical };

var
  left : Place;
  right : Place;
  left_wants : boolean;
  right_wants : boolean;
  turn : Process;

ruleset first : Process do
  startstate
    left := Idle;
    right := Idle;
    left_wants := false;
    right_wants := false;
    turn := first;
  end;
end;

rule "left raises its flag"
  left = Idle ==>
  left_wants := true;
  left := Raise;
end;

rule "left gives way"
  left = Raise ==>
  turn := Right;
  left := Wait;
end;

rule "left enters"
  left = Wait & (!right_wants | turn = Left) ==>
  left := Critical;
end;

rule "left leaves"
  left = Critical ==>
  left_wants := false;
  left := Idle;
end;

rule "right raises its flag"
  right = Idle ==>
  right_wants := true;
  right := Raise;
end;

rule "right gives way"
  right = Raise ==>
  turn := Left;
  right := Wait;
end;

rule "right enters"
  right = Wait & (!left_wants | turn = Right) ==>
  right := Critical;
end;

rule "right leaves"
  right = Critical ==>
  right_wants := false;
  right := Idle;
end;

invariant "mutual exclusion"
  !(left = Critical & right = Critical);
