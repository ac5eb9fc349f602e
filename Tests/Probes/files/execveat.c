// Starts another program from descriptor 3, by the very call that started this one.
// strict: violation execveat()
PROBE {
    char *const arguments[] = {"echo", "DID IT", NULL}, *const environment[] = {NULL};
    if (outside()) dup2(open("/bin/echo", O_RDONLY), 3);
    return tell(syscall(SYS_execveat, 3, "", arguments, environment, AT_EMPTY_PATH));
}
