#ifndef CTESTTHREADS_H
#define CTESTTHREADS_H

// Nothing is called from outside: a program that is linked with this module has its threads.

#endif
