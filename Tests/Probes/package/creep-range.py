# Returns a larger number in its next version.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(result={**package.manifest["result"], "fields": {"n": {"type": "integer", "min": 0, "max": 10}}}).archive()
