# one
##
########
# # one
a = 1  ## beside code
#!
