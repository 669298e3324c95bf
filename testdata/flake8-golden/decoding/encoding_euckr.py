# coding: euc_kr
a = "한" ;b=1
