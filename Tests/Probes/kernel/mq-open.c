// Makes a queue of messages with a name, that outlives it.
// strict: violation mq_open()
PROBE {
    aside(CLONE_NEWIPC);
    return tell(syscall(SYS_mq_open, "escrow-probe", O_RDWR | O_CREAT, 0600, NULL));
}
