__a__ += 1
import b
