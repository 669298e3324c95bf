class A:
    def b(self):
        return