__version__ = '1'
__author__: str = 'me'
__all__: list[str] = []
import a
__b__=1
import c
