// Copies a descriptor to a number of its choice.
// strict: violation dup2()
// needs: x86-64
PROBE { return tell(dup2(1, 9)); }
