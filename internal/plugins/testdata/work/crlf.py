import os
x = 1;
	def g(): pass
