a = 1
# noqa
  
b = """  # noqa
  
"""
c = """
  
"""  # noqa: W293
