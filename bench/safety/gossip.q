A[] forall (i : id_t) knows[i][i] or Person(i).Begin
