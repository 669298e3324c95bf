a = 1 ;
"# flake8: noqa"
b = 2 ;
