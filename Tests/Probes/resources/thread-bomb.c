// Starts threads, where there may be one only. The control stops at 64.
// strict: violation clone(CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD)
#include <pthread.h>

static void *stay(void *nothing) {
    rest(200);
    return nothing;
}

PROBE {
    pthread_t thread;
    for (int i = 0; i < 64; i++) {
        errno = pthread_create(&thread, NULL, stay, NULL);
        if (errno != 0) return tell(-1);
    }
    return tell(0);
}
