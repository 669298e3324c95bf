'one' + 'two'
import b
r'three'
import c
