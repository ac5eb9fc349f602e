# A shell script starts a program.
# runtime: violation vfork()
# needs: x86-64
/bin/echo DID IT
