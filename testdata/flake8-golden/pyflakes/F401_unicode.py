import ḿ
import ḿ.a
import b.ḿ
from ḿ.a import b
from a.ḿ import ḿ as c
import ḿ.a.ḿ
import ﬁ.a
import fi.b
fi.c
