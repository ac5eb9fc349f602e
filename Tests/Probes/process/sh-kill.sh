# A shell script signals itself. The signal is 0.
# runtime: violation kill()
kill -0 $$ && echo DID IT
