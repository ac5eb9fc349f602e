# Filters by one column more in its next version.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(accepts={**package.manifest["accepts"], "reads": {"Contacts": ["givenName", "phoneNumber", "note"]}}, defaultAccess={"sql": package.manifest["defaultAccess"]["sql"] + " WHERE note IS NULL"}).archive()
