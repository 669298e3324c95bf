if a:
	b = 1  # noqa: W191
	c = 1  # noqa: E
    # noqa


# noqa: W391
