u'one'
'two'
b
import a
