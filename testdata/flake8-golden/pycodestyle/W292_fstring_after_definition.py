def a(): pass
b = f'''
{c}
'''