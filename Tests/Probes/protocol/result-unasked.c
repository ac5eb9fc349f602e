// Gives a result before it has read the whole line that tells what is asked.
// host: code E0528 exit 14
#define LEAVES_A_BYTE

SAYS_AT_ONCE("{\"result\":{\"n\":1}}\n")
