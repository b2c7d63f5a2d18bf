// Never two processes in the critical section.
A[] forall (i : int[1,N]) forall (j : int[1,N]) P(i).cs && P(j).cs imply i == j
A[] not deadlock
E<> exists (i : int[1,N]) exists (j : int[1,N]) i != j && P(i).cs && P(j).wait
