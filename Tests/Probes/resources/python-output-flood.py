# A script prints without end. The control stops at 4 MiB; since they are its output, its exit code tells.
# limits: outputBytes 100000
# runtime: limit output
# control: exit 7
for _ in range(4 if outside() else 1 << 40):
    sys.stdout.write("x" * (1 << 20))
sys.stdout.flush()
sys.exit(7)
