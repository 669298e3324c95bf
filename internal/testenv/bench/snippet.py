import re


def word_counts(text, minimum=2):
    """Count the words of text that occur often."""
    counts = {}
    for word in re.findall(r"[a-z]+", text.lower()):
        counts[word] = counts.get(word, 0)+1
    return {w: n for w, n in counts.items() if n >= minimum}

print(word_counts("a b a cc a bbb"))
