a = f'{b!x}'
