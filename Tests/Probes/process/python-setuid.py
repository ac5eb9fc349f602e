# A script takes a user id: the one that it has.
# runtime: violation setuid()
attempt(os.setuid, os.getuid())
