a = = 1  # noqa: W1
