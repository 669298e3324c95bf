a = 1 ;
 
  # flake8:noqa text
b = 2 ;
