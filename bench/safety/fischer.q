A[] forall (i : int[1,N]) forall (j : int[1,N]) P(i).cs && P(j).cs imply i == j
