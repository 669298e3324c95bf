"""Doc \d.

  \w
	\s
"""
class A:
    """\d"""

    b = f"""
    {a} \d
    {b:\d}
    \d"""


def c():
    r"""\d"""
    return re.compile('(\d+)\.(\w)',
                      '\s') % ('\(', """
\)""")