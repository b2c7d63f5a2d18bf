A[] forall (i : id_t) forall (j : id_t) Station(i).Sends && Station(j).Sends imply i == j
A[] forall (i : id_t) Station(i).Sends imply token == i
E<> forall (i : id_t) Station(i).wants
(exists (i : id_t) Station(i).Sends) --> (travels)
