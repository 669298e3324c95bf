"""Submodules: import a.b binds a, and names that are alike count together."""
import xml
import xml.dom
import xml.dom.minidom
import xml.sax
import logging.handlers
import logging.config as config
import concurrent.futures
import concurrent.futures as futures
import os.path as path
import os.path


def use():
    import importlib
    import importlib.util
    import importlib.machinery
    return importlib.util


print(xml.dom, futures)
