a = """
""" ;  # noqa