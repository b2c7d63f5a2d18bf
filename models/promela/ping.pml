/* A client and a server over a rendezvous channel, with a formula.
 *
 * Expect: `answered` holds, as every request is answered in the next steps.
 */
mtype = { request, answer };

chan line = [0] of { mtype };
bool asked;

active proctype client()
{
	do
	:: atomic { line!request; asked = true };
	   atomic { line?answer; asked = false }
	od
}

active proctype server()
{
	do
	:: line?request; line!answer
	od
}

ltl answered { [] (asked -> <> !asked) }
