u
import a
