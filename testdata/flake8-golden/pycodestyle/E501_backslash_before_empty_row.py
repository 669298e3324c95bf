"""A row that a backslash joins to an empty row."""\

a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows_1 = 1\

a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows_2 = 2 \

a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows\

"the same for a string, which is a statement of its own and has no blank after its end"\


def f():\

    """The docstring of a function, whose last row ends with a backslash, and is long."""\

    a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows\

    return a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows\
    # a comment

near_miss = 1\

"near miss"\

a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows\
    \

a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows\
    .real
a_name_so_long_that_its_row_has_more_characters_than_the_limit_of_a_row_allows \
    .real
