A[] forall (i : id_t) Timeout(i).Suspects imply Sender(i).Crashed
