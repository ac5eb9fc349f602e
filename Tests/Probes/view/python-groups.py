# A script asks which groups the person is in.
# runtime: violation getgroups()
attempt(os.getgroups)
