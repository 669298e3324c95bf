// Programs to begin with.

interface Example { name: string; state: { code: string; program?: string; options?: Record<string, string | number | boolean | string[]> } }

export const examples: Example[] = [
  { name: "A first look", state: { code: `import os, sys
def greet(name, punctuation = "!"):
    message="Hello, %s" % name
    if punctuation != None:
        message+=punctuation
    return  message

print(greet("world"))
` } },
  { name: "Names and imports", state: { code: `from os.path import *
import json
import json


def load(path):
    with open(path) as file:
        data = json.load(file)
        size = len(data)
    return [row for row in dat]


def load(path):
    global cache
    return f"nothing to fill in"


__all__ = ["load", "save"]
` } },
  { name: "Indentation and blank lines", state: { code: `class Account:

    def __init__(self, owner, balance = 0):
      self.owner = owner
      self.balance = balance
    def deposit(self, amount):
        self.balance += amount; return self.balance



    def report(self):
        return "{} has {} left".format(self.owner,
                self.balance)
account = Account("Ann")
if account.balance == None or not "A" in account.owner: print("odd")
` } },
  { name: "Not Python", state: { code: `def area(width, height:
    return width * height


print(area(2, 3))
` } },
  { name: "Too complex", state: {
    code: `def kind(n):
    if n < 0:
        return "negative"
    elif n == 0:
        return "zero"
    for divisor in range(2, n):
        if n % divisor == 0:
            if divisor == 2:
                return "even"
            return "composite"
    return "prime" if n > 1 else "one"
`,
    options: { "max-complexity": 5 },
  } },
  { name: "An answer and its program", state: {
    code: `def mean(values):
    if not values:
        return None
    return sum(values) / len(values)
`,
    program: `def mean(values):
    if not values : return None
    return sum(values)/len(values)
`,
  } },
  { name: "A wrong answer", state: {
    code: `def average(values):
    return sum(values) / len(values)
`,
    program: `def mean(values):
    if not values : return None
    return sum(values)/len(values)
`,
  } },
];
