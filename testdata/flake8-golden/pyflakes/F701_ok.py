for x in []:
    break
while 1: break
for x in []:
    for y in []: pass
    else: break
for x in []:
    try: pass
    except ValueError: break
    else: break
    finally:
        if x: break
for x in []:
    with x:
        match x:
            case 1: break


async def function():
    async for x in []:
        break
