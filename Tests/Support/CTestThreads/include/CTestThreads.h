#ifndef CTESTTHREADS_H
#define CTESTTHREADS_H

/// The threads that tests run on: two for each processor, and at least four. A program that is linked with this module has them.
int test_threads(void);

#endif
