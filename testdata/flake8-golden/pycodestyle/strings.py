a = 'it''s' "x"'y'
a = '''x''' '''
y''' ;b=1
a = """x
y""",'''z
''' ;
a = 'x'if b else'y'
a = b'x' b'\x00'
a = u'x';b = R'y'
a = 'x\
  y' ;b = 1
a = ('x\
y' ,
     1)
a = "'" ;b = '"'
a = ''';''' ;b = """:"""
'''Doc,not;code'''
a = {'b':'c','d':'e'}
a = b['c':'d']
a = 'x' .join(b)
a = 'x'[0] ['y']
a = '%s'%'x'
a = not'x'
a = ''
a = """"""
a = '' ''
a = "and  or" in'is  not'
a = '''
    if x :
'''
a = ('one'
     # comment
     'two' )
def b(c='''
''',d=1):pass
class E:
    '''Doc.
    '''
    f=1
