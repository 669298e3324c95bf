# coding: utf-8-sig
b = "é" ;
