# Writes the installed program to and fro, thousands of times, while runs begin.
# host: prints the signed program or a refusal
def during(home):
    with open(home.program, "rb") as file:
        same = file.read()
    racer = subprocess.Popen([sys.executable, "-I", "-c", WRITE, home.program, home.scratch("evil", evil(same))])
    ends = {home.run() for _ in range(20)}
    racer.kill()
    racer.wait()
    bad = ends - {'prints {"n":1}', "code E0301 exit 12", "code E0321 exit 12"}
    print("; ".join(sorted(bad)) if bad else "prints the signed program or a refusal")

WRITE = """
import os, sys
with open(sys.argv[1], "rb") as file: same = file.read()
with open(sys.argv[2], "rb") as file: evil = file.read()
file = os.open(sys.argv[1], os.O_WRONLY)
while True:
    os.pwrite(file, evil, 0)
    os.pwrite(file, same, 0)
"""
