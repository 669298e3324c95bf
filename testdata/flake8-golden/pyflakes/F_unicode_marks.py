def f():
    # Marks in the order of their classes, those of Unicode 16 too.
    ạ́ = 1
    ạ𐵩 = 1
    a𞗯𞗮 = 1
    # More marks than a text for streams may have in a row.
    ḅ̣̣̣̣̣̣̣̣̣̣̣̣̣̣̣̣̣̣̣̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇ = 1
    ċ̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇̇ = 1
    # Pairs of Unicode 16, and one of three.
    𐗉 = 𐗉̣ = 1
    e𖄦 = 1
    𖵪 = 1
    # Digits that stand for others, syllables, ligatures.
    d𜳱 = 1
    한 = 1
    ﬃ = 1
