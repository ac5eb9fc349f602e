# Writes 30 000 nested lists, which its own writer refuses and the host's reader must too.
# host: code E0521 exit 14
def misdeed(plugin):
    plugin.rows()
    plugin.write(b"[" * 30000 + b"]" * 30000 + b"\n")
