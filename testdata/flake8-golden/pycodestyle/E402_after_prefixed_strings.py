u'one'
b'two'
import a
