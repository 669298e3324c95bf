def a():
    pass


# comment


    # comment

