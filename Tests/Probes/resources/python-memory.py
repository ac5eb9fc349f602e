# A script takes memory until there is none. The control stops at 200 MiB.
# limits: memoryMiB 64
# runtime: limit memory
kept = [bytes(1 << 20) for _ in range(200)]
tell(0)
