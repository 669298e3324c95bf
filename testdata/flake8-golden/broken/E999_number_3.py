a = 1abc
