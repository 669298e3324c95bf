# coding: utf-8
é=1
