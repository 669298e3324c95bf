a = """text
b = 1
