a = ub'x'
