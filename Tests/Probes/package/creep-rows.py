# Computes over fewer rows in its next version, which singles people out.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(accepts={**package.manifest["accepts"], "rows": {"min": 7}}).archive()
