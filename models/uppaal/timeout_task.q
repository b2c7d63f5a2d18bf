A[] forall (i : id_t) Timeout(i).Suspects imply Sender(i).Crashed
(exists (i : id_t) Sender(i).Crashed) --> (exists (i : id_t) Timeout(i).Suspects)
