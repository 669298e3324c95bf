if shop.open or till[0] \
or bell:
    enter()
if shop.open or till[0] \
    or bell:
    enter()
if True:
    def shelves(shop):
        return [shelf.fill(
            (
                item
                # all that is left
                for box in shelf.boxes
                # and all that is in it
            for item in box(shelf)
                ),
            list(shop)
        )]
  # a comment
a = [
    1,
# a comment in brackets
    2,
  # another
    3,
]
b = 1 \
+ 2
c = \
d
