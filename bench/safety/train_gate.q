A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j
