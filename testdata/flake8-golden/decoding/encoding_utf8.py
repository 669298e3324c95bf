#!/bin/sh
# coding: UTF_8
a = "é" ;b=1
