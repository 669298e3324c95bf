a = """ 
# noqa
""" ;
a = """ 
""" ;  # noqa
a = """ 
""" ;  # noqa: W291
a = (1 ,
     2 ,  # noqa
     3 ,)
a = 1 ; \
    b = 2 ;  # noqa
a = \
    1 ;  # noqa: E2
a = 1 ; c = '\
 ' ;  # noqa: E203
# noqa
a = 1 ;
a = f""" 
{b } 
""" ;  # noqa
a = f""" 
{b
} 
""" ;  # noqa
a = f""" 
{b  # noqa
} 
""" ;
a = f'{b }# noqa' ;
a = f'''{b }# noqa: E2
''' ;
a = (
    1 ,
)  # noqa
a = [  # noqa
    1 ,
]
if a :  # noqa: E2
    b = 1 ;
    # noqa
def c(): pass  # noqa
def d(): pass
@e ()  # noqa
def f( g ): pass
a = """
text 
# noqa: W291
text 
"""
a = """
text 
# noqa: W291

text 
""" ;
a = 1 ;  # flake8: noqa: E2
a = 1 ;  # text flake8: noqa
import a  # noqa

import b, c  # noqa: E401
if d: e = 1  # noqa: E701,E2
a = ('a'  # noqa
     'b' )  # noqa: E202
a = 1 + \
    2 ; # noqa: E261,E262
x = t""" 
{y  # noqa: W291
} 
"""
    
    # noqa
	# noqa
