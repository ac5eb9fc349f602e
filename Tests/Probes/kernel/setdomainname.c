// Renames the machine's domain; the control in a namespace of its own.
// strict: violation setdomainname()
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(CLONE_NEWUTS);
    return tell(setdomainname("x", 1));
}
