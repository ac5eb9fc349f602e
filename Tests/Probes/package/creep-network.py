# Sends to the network in its next version.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(egress=[{
        "name": "out", "why": "to send", "method": "GET", "url": "https://evil.example.org/x", "fields": {},
        "response": {"type": "application/json", "maxBytes": 100}, "maxCalls": 1}]).archive()
