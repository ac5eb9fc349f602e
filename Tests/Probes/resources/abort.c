// Aborts.
// strict: signal SIGABRT
// control: signal SIGABRT
PROBE { abort(); }
