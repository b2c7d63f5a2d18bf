A[] forall (i : id_t) forall (j : id_t) Sender(i).Send && Sender(j).Send imply i == j
