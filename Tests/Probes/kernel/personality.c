// Makes all memory that can be read executable.
// strict: violation personality()
#include <sys/personality.h>

PROBE { return tell(personality(READ_IMPLIES_EXEC)); }
