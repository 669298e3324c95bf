a = = 1  # noqa: E9
