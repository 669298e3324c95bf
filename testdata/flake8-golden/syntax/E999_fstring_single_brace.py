a = f'b}'
