# A script signals process 1. The signal is 0.
# runtime: violation kill()
# needs: CAP_KILL
attempt(os.kill, 1, 0)
