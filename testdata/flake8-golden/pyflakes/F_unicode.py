"""Names beyond ASCII; columns count bytes."""
import é
import ﬁ
from ñ import ö as ü
é = 'é'; undefinedé
print('é', undefined); fi
'é'; ﬁ; ª
x = 'ü', undefined, "𝔘", 𝔘ndefined


def ℌ(ß, ß=1): ñ = 1; return 'é' % ()
class Ⅷ: pass
VIII
__all__ = ['é', 'ﬁ', 'fi', '𝔘']
'%(é)s' % {'ﬁ': 1}; 'é{}'.format()
