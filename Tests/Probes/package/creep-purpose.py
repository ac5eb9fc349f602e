# Says another purpose in its next version.
# host: code E0702 exit 11 at run
def forge(package):
    return package.upgrade(purpose={"code": "development", "text": "Something else."}).archive()
