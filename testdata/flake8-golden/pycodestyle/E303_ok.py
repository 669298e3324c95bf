"""Doc."""


a = 1


# comment
b = 2
if c:

    d = 1

    # comment

    e = 1

    def f():

        pass
g = """



"""
h = (


    1,



)
