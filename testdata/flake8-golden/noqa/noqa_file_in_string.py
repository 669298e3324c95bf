a = """
# flake8: noqa
""" ;
