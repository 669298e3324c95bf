#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Sell tea and salt."""
from __future__ import annotations

import os,sys
from shop import(Basket, Till)
__version__='1'
PRICES = {
    'tea':1,
    'salt' : 2,
    }
class Shop(object) :
    "A shop"
    open=False
    def __init__( self, name, till = None ):
        self.name=name
        self.till=till or Till ()

    def sell(self, item, count = 1):
        if not item in PRICES: raise KeyError(item)
        total = PRICES[item]*count
        if self.till == None:
            self.till=Till()

        self.till . add(total) ;
        return total


    def close(self):
      self.open = False
      try:
        self.till.count()
      except:
        pass
      l = [item for item in PRICES
        if PRICES[item]>1]
      return l
def main(args=None):
    shop = Shop ('corner')
    for item in  args or sys.argv[1 :]:
        print("%s costs %d"%(item,
		shop.sell(item)))
    double = lambda x: x*2
    return double(shop.close( ))

if __name__=='__main__':
    main()

