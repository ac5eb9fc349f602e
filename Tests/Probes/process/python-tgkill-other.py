# A script signals a thread of another process: outside the runner of these probes. The signal is 0.
# runtime: violation tgkill()
tell(libc.tgkill(os.getppid(), os.getppid(), 0))
