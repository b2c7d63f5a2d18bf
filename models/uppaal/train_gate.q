A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j
A[] not deadlock
E<> Train(0).Cross && Train(1).Stop
