pass
import b
