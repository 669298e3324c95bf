if True:
  	a = 1
	  b = 1
if True:
    	c = 1
