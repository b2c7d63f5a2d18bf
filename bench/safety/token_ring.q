A[] forall (i : id_t) forall (j : id_t) Station(i).Sends && Station(j).Sends imply i == j
