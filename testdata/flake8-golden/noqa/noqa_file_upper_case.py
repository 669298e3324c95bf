a = 1 ;
# FLAKE8: NOQA
b = 2 ;
