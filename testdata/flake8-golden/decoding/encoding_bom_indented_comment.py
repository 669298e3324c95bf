    # comment
