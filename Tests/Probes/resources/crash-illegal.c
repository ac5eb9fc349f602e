// Crashes: an illegal instruction, which is how Swift traps.
// strict: signal SIGILL
// control: signal SIGILL
PROBE { __builtin_trap(); }
