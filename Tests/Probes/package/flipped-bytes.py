# Flips one byte of the installed manifest or program, all over them.
# host: code E0301 exit 12; code E0304 exit 12; code E0313 exit 12
def during(home):
    ends = set()
    for path in (home.envelope, home.program):
        with open(path, "rb") as file:
            same = file.read()
        for step in range(13):
            changed = bytearray(same)
            changed[min(len(same) - 1, len(same) * step // 12)] ^= 1
            with open(path, "wb") as file:
                file.write(changed)
            ends.add(home.run())
        with open(path, "wb") as file:
            file.write(same)
    print("; ".join(sorted(ends)))
