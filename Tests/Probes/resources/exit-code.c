// Ends with a code of its own.
// strict: exit 42
// control: exit 42
PROBE { return 42; }
