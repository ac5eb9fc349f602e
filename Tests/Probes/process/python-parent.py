# A script asks who its parent is: nobody that it could name.
# runtime: prints NOBODY
print("DID IT" if os.getppid() > 0 else "NOBODY")
