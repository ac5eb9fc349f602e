# Says twice what it sends: readers keep different ones.
# host: code E0107 exit 12 at install
def forge(package):
    return package.replace("{", '{"egress":[],').archive()
