# Exchanges the installed program with another one, thousands of times, while runs begin.
# host: prints the signed program or a refusal
def during(home):
    with open(home.program, "rb") as file:
        changed = evil(file.read())
    other = home.scratch("evil", changed)
    racer = subprocess.Popen([sys.executable, "-I", "-c", EXCHANGE, home.program, other])
    ends = {home.run() for _ in range(20)}
    racer.kill()
    racer.wait()
    bad = ends - {'prints {"n":1}', "code E0301 exit 12", "code E0321 exit 12", "code E0203 exit 12"}
    print("; ".join(sorted(bad)) if bad else "prints the signed program or a refusal")

EXCHANGE = """
import os, sys
program, other = sys.argv[1:]
while True:
    os.rename(program, program + "~")
    os.rename(other, program)
    os.rename(program, other)
    os.rename(program + "~", program)
"""
