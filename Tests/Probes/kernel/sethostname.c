// Renames the machine; the control in a namespace of its own.
// strict: violation sethostname()
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(CLONE_NEWUTS);
    return tell(sethostname("x", 1));
}
