# A script starts a program.
# runtime: violation vfork()
# needs: x86-64
import subprocess

attempt(subprocess.run, ["/bin/true"])
