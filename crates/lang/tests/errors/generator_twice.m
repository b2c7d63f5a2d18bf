-- E0507: one element goes to two places
type Seat : 0..3;
generator "turn" of Seat = (0 1)(2 3 0);
startstate begin end;
