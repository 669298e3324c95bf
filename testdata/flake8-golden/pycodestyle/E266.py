## two
### three
##
###
#### four ####
## 
if a:
    ## two
    pass
b = [
    ## two
    1,
]
##two
##!bang
##: colon
#: fine
#!# bang
## 	
# # one
