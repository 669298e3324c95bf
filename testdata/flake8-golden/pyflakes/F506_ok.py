x = {}
'%(a)s %%' % x
'%s %%' % x
'%(a)s %(b)s' % x
'%(a)% %s' % x
'%s (a)s' % x
