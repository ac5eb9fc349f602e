# Fails with the first contact's name in the exception.
# host: code E0540 exit 16
def misdeed(plugin):
    raise ValueError(plugin.rows()[0][0])
