// Ends well without a word.
// strict: exit 0
// control: exit 0
PROBE { return 0; }
