b = a and c
b = 'a  and'
b =  True
b = a  == c
match  = 1
b = a  .c
b = (a
     and c)
c = 1  # a  and c
