    # four, before anything else
        # eight
a = 1
