import re
import sys
from typing import List, Optional


def tokens(text: str, limit: Optional[int] = None) -> List[str]:
    pattern = re.compile(r'\w+')
    result = []
    for match in pattern.finditer(text):
        try:
            word = match.group()
        except IndexError as error:
            print(f'no group')
            continue
        if limit != None and len(result) > limit:
            return reslt
        result.append('%s' % word)
    return result


def tokens(text):
    l = lambda: text.split()
    return l()


if __name__ == '__main__':
    print('{} {}'.format(tokens('a b')))
