rb'x'
'one'
import b
br'two'
import c
