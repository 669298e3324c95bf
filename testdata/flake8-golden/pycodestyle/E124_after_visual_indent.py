if shop[0].open() and (
       till not in (1, 2) or
       bell
                      ):
    pass
a = [1, {
    2: 3,
}, (4,
    5
)
]
b = ("""
     """, c
)
e = f"{(g,
        h
)}"
