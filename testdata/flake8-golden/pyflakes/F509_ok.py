x = 1
'%d%i%o%u%x%X%e%E%f%F%g%G%c%r%s%a%%' % x
'%#x %08.3f %-5d %+d % d %#0+ -d' % x
'%hd %ld %Ld %5.3lf' % x
'100% sure' % x
'%(y)s' % x
b'%y' % x
