while a:
    import b
import c
