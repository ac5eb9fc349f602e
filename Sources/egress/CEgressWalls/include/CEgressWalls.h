// The walls that escrow-egress puts around itself before it reads a byte.
#ifndef ESCROW_EGRESS_WALLS_H
#define ESCROW_EGRESS_WALLS_H

// From here on the process starts no program, looks into no process, makes only internet sockets, writes no file and reads
// only under the folders (NULL ends them). Only descriptors 0, 1 and 2 are open. Returns 0, or an errno.
int escrow_egress_walls(const char *const folders[]);

#endif
