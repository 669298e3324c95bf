__a = 1
import b
