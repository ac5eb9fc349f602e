# A script makes a counter to wait on.
# runtime: violation eventfd2()
attempt(os.eventfd, 0)
