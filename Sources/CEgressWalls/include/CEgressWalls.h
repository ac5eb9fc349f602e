// The walls that escrow-egress puts around itself before it reads a byte of anybody's.
#ifndef ESCROW_EGRESS_WALLS_H
#define ESCROW_EGRESS_WALLS_H

// From here on no program is started, no process looked into, no socket but one of the internet made, no file written,
// and none read but those under the folders (NULL ends them). No descriptor is open but 0, 1 and 2. 0, or an errno.
int escrow_egress_walls(const char *const folders[]);

#endif
