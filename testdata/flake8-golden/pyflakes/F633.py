import sys
print >> sys.stderr
print >> sys.stderr, 'a'
print >>sys.stderr, 'a', 'b'
x = print >> 1
1 >> print
print >> 1 >> 2
(print) >> 1
print.a >> 1
print[0] >> 1
(print, 1) >> 2
[print, 1] >> 2
*print >> 1,


def function():
    print >> sys.stdout
    return [print >> x for x in ()]
