# flake8: noqa
import os
