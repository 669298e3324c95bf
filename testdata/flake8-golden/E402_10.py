(1)
import b
