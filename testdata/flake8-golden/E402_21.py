r
import a
