# A script starts another program.
# runtime: violation execve()
attempt(os.execv, "/bin/echo", ["echo", "DID IT"])
