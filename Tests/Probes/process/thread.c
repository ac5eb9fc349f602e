// Starts a thread, of which strict has one.
// strict: violation clone(CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD)
#include <pthread.h>

static void *idle(void *nothing) {
    return nothing;
}

PROBE {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, idle, NULL);
    if (error) errno = error;
    if (!error) pthread_join(thread, NULL);
    return tell(error ? -1 : 0);
}
