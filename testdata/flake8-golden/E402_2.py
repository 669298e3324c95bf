'one'
'two'
import a
