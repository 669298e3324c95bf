__a__.b = 1
import c
