// Closes its input, asks, and goes on.
// host: code E0525 exit 14
// says: it closed its input before it gave a result
MISDEED {
    /* Just after a launch the host's own copy of the pipe's other end may still be open, and a write into it succeed. */
    struct timespec pause = {2, 0};
    close(0);
    nanosleep(&pause, NULL);
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n");
    wait_for_ever();
    return 0;
}
