// Asks which groups the person is in.
// strict: violation getgroups()
PROBE { return tell(getgroups(0, NULL)); }
