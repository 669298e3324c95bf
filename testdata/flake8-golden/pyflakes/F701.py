break
for x in []:
    pass
else:
    break
while 1:
    pass
else:
    break
if x: break


def function():
    break
    while 1:
        def inner():
            break

        class Inner:
            break
        break


class Class:
    break


for x in []:
    async def coroutine():
        break
    lambda: 0


try:
    pass
finally:
    break


match x:
    case 1: break
