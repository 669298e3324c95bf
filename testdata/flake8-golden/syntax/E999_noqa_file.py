a = = 1
# flake8: noqa
