a = 1



b = 2




# comment
c = 3
if d:


    e = 1



    f = 1


    # comment


    g = 1
class H:


    def i(self):


        pass


    def j(self):
        pass



    @k


    def m(self):
        pass



def n():
    pass



@o
def p():
    pass
q = [



    1,
]



#
