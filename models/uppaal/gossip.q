E<> forall (i : id_t) forall (j : id_t) knows[i][j]
A[] forall (i : id_t) knows[i][i] or Person(i).Begin
inf{forall (i : id_t) forall (j : id_t) knows[i][j]}: time
