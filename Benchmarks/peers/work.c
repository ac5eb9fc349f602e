// The work that each peer of the launch benchmark starts: reads stdin to its end, counts the digits of that one row,
// writes one line. Without a C library, so that starting it costs nothing but the start.
//   cc -O2 -static -nostdlib -ffreestanding -fno-stack-protector -o work work.c
#include "system.h"

static char row[4096];

void _start(void) {
    word size = 0, digits = 0;
    long count;
    while (size < sizeof row && (count = call(READ, 0, (word)(row + size), sizeof row - size)) > 0) size += (word)count;
    for (word i = 0; i < size; i++) digits += row[i] >= '0' && row[i] <= '9';
    char line[] = "{\"digits\":00}\n";
    line[10] = (char)('0' + digits / 10 % 10);
    line[11] = (char)('0' + digits % 10);
    call(WRITE, 1, (word)line, sizeof line - 1);
    call(EXIT_GROUP, 0, 0, 0);
}
