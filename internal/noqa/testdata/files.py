# flake8 : noqa
#flake8:noqa
#  flake8=  noqa
# FLAKE8 noqa
# flake8noqa
# flake8  = noqa: E501
x = 1  # flake8: noqa
y = 1  #flake8:NoQA
# flake 8: noqa
# see flake8: noqa
