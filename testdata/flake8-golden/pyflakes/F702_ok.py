for x in []:
    continue
while 1: continue
for x in []:
    while 1: pass
    else: continue
for x in []:
    try: continue
    finally: continue


async def function():
    async for x in []:
        with x: continue
