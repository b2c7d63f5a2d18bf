/* Mutual exclusion by a shared table: a process enters if nobody else is inside.
 *
 * The processes differ by nothing but their ids, so any permutation of them is a symmetry.
 * Expect: no violation; with Spin's flags -o1 -o2 -o3 it has 49 states for four processes.
 */
mtype = { outside, waiting, inside };

mtype place[5] = outside;

proctype user()
{
	do
	:: d_step { place[_pid] == outside -> place[_pid] = waiting }
	:: d_step {
		(place[_pid] == waiting && place[1] != inside && place[2] != inside &&
		 place[3] != inside && place[4] != inside) -> place[_pid] = inside
	   }
	:: d_step { place[_pid] == inside -> place[_pid] = outside }
	od
}

init
{
	atomic { run user(); run user(); run user(); run user() }
}
