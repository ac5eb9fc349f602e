// Empties a file of the person's.
// argument: canary
// strict: violation truncate()
PROBE { return tell(truncate(argument[1], 0)); }
