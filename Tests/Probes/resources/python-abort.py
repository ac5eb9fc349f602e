# A script aborts.
# runtime: signal SIGABRT
# control: signal SIGABRT
os.abort()
