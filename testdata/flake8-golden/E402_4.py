f'one'
import a
