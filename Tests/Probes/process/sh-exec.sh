# A shell script becomes a program.
# runtime: violation execve()
exec /bin/echo DID IT
