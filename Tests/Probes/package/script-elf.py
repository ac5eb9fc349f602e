# Is an executable that says it is a script.
# host: code E0509 exit 12 at run
def forge(package):
    manifest = package.upgrade().manifest
    del manifest["artifacts"][0]["linkage"]
    manifest["artifacts"][0]["interpreter"] = "sh"
    manifest["sandbox"]["profile"] = "runtime"
    return package.say(manifest).archive()
