# Has no program for this machine.
# host: code E0206 exit 12 at run
def forge(package):
    return package.upgrade(artifacts=[{**package.manifest["artifacts"][0], "platform": other_platform}]).archive()
