"""What sysconfig knows of this CPython's build: of what it was made says README.md."""

build_time_vars = {"TZPATH": ""}
