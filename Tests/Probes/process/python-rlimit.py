# A script sets a limit of its own, to what it is.
# runtime: violation prlimit64()
import resource

attempt(resource.setrlimit, resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))
