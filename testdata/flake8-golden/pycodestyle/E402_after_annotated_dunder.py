__a__: dict[str, int] = {}
import b
