// Swift runs tasks on as many threads as there are processors, since a task is to wait without its thread. A test that starts a
// program and reads what it says does hold its thread: with two processors two tests ran beside each other, and where both waited
// for a time to run out, both processors had nothing to do. The tests have more threads here, so that the others go on.
//
// It is in C, as the runtime offers its queue by a variable that holds a function of Swift's calling convention
// (swift_task_enqueueGlobal_hook in MutableGlobalConcurrency.h of the runtime), and it must be set before the first task is.

#include "CTestThreads.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*enqueue)(void *job);

extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);
/// Runs a task until it waits. The two words name an executor: both are 0 for the global one.
extern SWIFT void swift_job_run(void *job, void *identity, uintptr_t implementation);

struct entry {
    void *job;
    struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct entry *first, **end = &first;

/// How many threads there are: two for each processor, and at least four.
static int thread_count(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 2 ? 4 : (int)processors * 2;
}

/// Runs what is in the queue, as long as the program lives.
static void *work(void *nothing) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first) pthread_cond_wait(&filled, &lock);
        struct entry *entry = first;
        first = entry->next;
        if (!first) end = &first;
        pthread_mutex_unlock(&lock);
        void *job = entry->job;
        free(entry);
        swift_job_run(job, NULL, 0);
    }
    return nothing;
}

/// Puts a task into the queue. Without memory for its place the program ends: a task that is left out would be waited for without end.
static SWIFT void put(void *job, enqueue original) {
    (void)original;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) abort();
    *entry = (struct entry){.job = job};
    pthread_mutex_lock(&lock);
    *end = entry;
    end = &entry->next;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

/// Starts the threads and takes over the queue, before main.
__attribute__((constructor)) static void begin(void) {
    int count = thread_count();
    for (int index = 0; index < count; index++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL) != 0) abort();
        pthread_detach(thread);
    }
    swift_task_enqueueGlobal_hook = put;
}
