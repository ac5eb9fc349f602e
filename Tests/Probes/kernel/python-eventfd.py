# A script makes a counter to wait on, which runtime allows.
# runtime: prints DID IT
attempt(os.eventfd, 0)
