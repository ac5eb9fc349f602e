# A script makes pipes until there are none, each of which holds memory of the kernel's. The control stops at 400.
# runtime: refused EMFILE
def many():
    if outside():
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    for _ in range(400):
        os.pipe()


attempt(many)
