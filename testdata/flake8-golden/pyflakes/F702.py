continue
for x in []:
    pass
else:
    continue
while 1:
    pass
else:
    continue
if x: continue


def function():
    continue
    for x in []:
        def inner():
            continue

        class Inner:
            continue


class Class:
    continue


with x:
    continue


for x in []:
    async def coroutine():
        continue
