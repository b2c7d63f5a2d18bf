A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j
A[] not deadlock
E<> exists (i : id_t) exists (j : id_t) Train(i).Cross && Train(j).Stop
