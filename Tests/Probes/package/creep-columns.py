# Declares one column more in its next version, which its query does not read. A grant is for what is read: nobody is asked.
# host: prints {"n":1}
def forge(package):
    return package.upgrade(accepts={**package.manifest["accepts"], "reads": {"Contacts": ["givenName", "phoneNumber", "note"]}}).archive()
