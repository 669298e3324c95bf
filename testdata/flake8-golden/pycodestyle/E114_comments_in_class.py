class A:
  # two
  def b(self):
   # three
    pass
	  # a tab and two
