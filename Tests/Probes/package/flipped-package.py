# Flips one byte of a package, all over it.
# host: prints nothing but refusals
def during(home):
    same = good(home).archive()
    ends = set()
    for step in range(61):
        changed = bytearray(same)
        changed[min(len(same) - 1, len(same) * step // 60)] ^= 0x20
        ends.add(home.told(home.escrow("plugin", "install", home.scratch("probe.escrow", changed), "--yes"))[-8:])
    print("prints nothing but refusals" if ends == {" exit 12"} else sorted(ends))
