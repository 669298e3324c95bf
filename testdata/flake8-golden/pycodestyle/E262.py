a = 1  #one
b = 1  #  two blanks
c = 1  #	tab
d = 1  #!bang
e = 1  #:colon
f = 1  ## two
g = 1  #
h = 1  # 
i = 1  ### three
j = 1  # 	tab after blank
k = 1  #  no-break
k = 1  # no-break
m = 1  #- dash
n = [  #one
    1,  #  two
]
o = 1  ##
p = 1  #: fine
q = 1  #:: two
r = 1  #!
s = 1  #: 
t = 1  #:  two
