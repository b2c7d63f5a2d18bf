A[] forall (i : id_t) forall (j : id_t) Station(i).Start && Station(j).Start && Station(i).x >= 52 && Station(j).x >= 52 imply i == j
