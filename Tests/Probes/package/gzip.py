# Is compressed.
# host: code E0209 exit 12 at install
def forge(package):
    import gzip
    data = gzip.compress(package.archive())
    return data + padding(len(data))
