# A script asks how many blocks were read for it: none, when another run had them read before.
# runtime: refused EPERM
import resource

attempt(resource.getrusage, resource.RUSAGE_SELF)
