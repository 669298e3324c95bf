a = 1  # one
b = 1  #: doc
c = 1  #
#one
#  two
d = '#one'
