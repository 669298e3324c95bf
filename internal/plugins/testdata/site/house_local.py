"""Local plugins, for tests."""


class Local:
    """A tree plugin."""

    def __init__(self, tree):
        pass

    @classmethod
    def add_options(cls, manager):
        manager.add_option("--local-text", default="here", parse_from_config=True)

    @classmethod
    def parse_options(cls, manager, options, args):
        cls.text = options.local_text

    def run(self):
        yield 1, 0, f"LOC1 local: {self.text}", type(self)
