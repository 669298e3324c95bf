"""A docstring  # noqa: W291
with blanks 
"""  # noqa: W291
x = ['a','b',  # noqa: E231
     'c','d',  # noqa: E231
     'e']  # noqa: E231
y = 'a' + \
    'b'+'c'  # noqa: E226,E225
z = """  # noqa: W291
text 
"""


def spam(a,b):  # noqa: E231
    # noqa: E501
    if a:  # noqa: C901
        return  1  # noqa: E271,F841

    def eggs():  # noqa: E306

        pass  # noqa
    return f'{a  # noqa: E261
              }'
# noqa: E305
@spam  # noqa
class Bacon:pass  # noqa: E701,E305
import os, sys  # noqa: E402
