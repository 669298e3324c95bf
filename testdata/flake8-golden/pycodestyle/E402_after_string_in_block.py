"one"
if a:
    'two'
'three'
import b
