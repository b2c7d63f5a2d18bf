A[] forall (i : id_t) forall (j : id_t) Process(i).Decided && Process(j).Decided imply knows[i] == knows[j]
E<> Rounds.Over && crashes == F && (exists (i : id_t) knows[i]) && (exists (i : id_t) not knows[i])
