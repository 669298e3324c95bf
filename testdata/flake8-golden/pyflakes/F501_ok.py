x = 1
'%%' % x
'%d%%' % x
'% d' % x
'%' 's' % x
b'%' % x
f'%' % x
'%' + x
x % '%'
'%'.format(x)
u'%' 's' % x
