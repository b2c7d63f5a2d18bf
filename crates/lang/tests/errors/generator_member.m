-- E0507: a number for a member of an enum
type Side : enum { Left, Right };
generator "swap" of Side = (Left 1);
startstate begin end;
