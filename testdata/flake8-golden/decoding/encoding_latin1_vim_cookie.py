#!/bin/sh
# vim: set fileencoding=iso-8859-1 :
a = "éè" ;b=1
