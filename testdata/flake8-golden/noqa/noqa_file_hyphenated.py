a = 1 ;
# flake8: noqa-not
b = 2 ;
