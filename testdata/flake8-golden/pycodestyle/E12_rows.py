a = (

    1,

      2,

)
b = (1,

     2,
# comment

   # comment
     3)
c = (  # comment
    1)
d = (  # comment
     1)
e = (1,  # comment
     # comment
       # comment
     2)
f = ([
], [
])
g = ([
    1],
    [2])
h = (
    [
    ]
)
i = (
    [1,
     2
     ]
    )
j = (
    [1,
     2
    ])
k = [
    1, 2, (
        3), [
        4], {
            5}]
l2 = m({
    1: 2},
    n({
        3: 4},
        5))
