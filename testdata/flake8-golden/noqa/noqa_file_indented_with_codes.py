a = 1 ;
	   # flake8:    noqa: E203
b = 2 ;
