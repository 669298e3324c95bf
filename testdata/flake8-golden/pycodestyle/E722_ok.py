try:
    pass
except A:
    pass
except (B, C):
    pass
d = 'except:'
excepts: int = 1
try:
    pass
except* E:
    pass
