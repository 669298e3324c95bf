from b import print
print >> 1
