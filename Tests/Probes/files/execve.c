// Starts another program.
// strict: violation execve()
PROBE { return tell(execl("/bin/echo", "echo", "DID IT", NULL)); }
