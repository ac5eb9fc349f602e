# Returns a field more in its next version.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(result={**package.manifest["result"], "fields": {**package.manifest["result"]["fields"], "m": {"type": "boolean"}}}).archive()
