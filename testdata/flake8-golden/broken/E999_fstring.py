a = f'{b'
