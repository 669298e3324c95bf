#!one
#one
#  two
#
#:doc
#: doc
#!bang
#	tab
#-dash
if a:
    #one
    pass
    #!bang
b = [
    #one
    1,
    #!bang
]
#:::
#é
#_
#¬
##one
#'
