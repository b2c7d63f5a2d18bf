A[] forall (i : id_t) forall (j : id_t) Process(i).Decided && Process(j).Decided imply knows[i] == knows[j]
