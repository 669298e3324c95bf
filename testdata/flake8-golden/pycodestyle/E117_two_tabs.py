if a:
	b = 1
if c:
		d = 1
if e:
		# two tabs
	f = 1
	if g:
			h = 1
if i:
         j = 1
