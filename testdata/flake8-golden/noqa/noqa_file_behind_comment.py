a = 1 ;
# text # flake8: noqa
b = 2 ;
