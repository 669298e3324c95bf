# flaKe8 : noqa
# noqa: E501
x = 1  # noqa: ı501, ſ5,K1
y = 1  # noqaé
z = "é"  # noqa:　E501
w = "🐍"  #noqa　:E501
