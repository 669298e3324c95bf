import sys
print << 1
print(1) >> 2
sys.print >> 1
print(1 >> 2)
1 >> print()


def function(print):
    print >> sys.stderr
