# -*- coding: utf-8 -*-
# import os
#!/usr/bin/python

# undefined
