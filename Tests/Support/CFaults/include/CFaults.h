#ifndef CFAULTS_H
#define CFAULTS_H

#include <stddef.h>
#include <stdint.h>

/// What a call asks of the file system.
enum faults_call {
    FAULTS_OPEN,
    FAULTS_WRITE,
    FAULTS_TRUNCATE,
    FAULTS_SYNC,
    FAULTS_RENAME,
    FAULTS_UNLINK,
    FAULTS_RMDIR,
    FAULTS_MKDIR,
    FAULTS_LOCK,
};

/// One call that a thread is about to make, or has made.
struct faults_event {
    /// Which call.
    enum faults_call call;
    /// The file that it is about: of open, mkdir, unlink, rmdir and the old name of rename. Null for calls on descriptors.
    const char *path;
    /// The new name of rename.
    const char *target;
    /// The descriptor that it is about; once open has succeeded, the new one.
    int descriptor;
    /// The flags of open.
    int flags;
    /// What write is to write.
    const uint8_t *bytes;
    /// How many bytes write is to write, or how long truncate leaves the file.
    int64_t count;
    /// Where write begins; -1 where the file's own position counts.
    int64_t offset;
};

/// What is to become of a call: 0 lets it through, a number above 0 is the errno with which it fails without being made,
/// and a number below 0 lets a write write only so many bytes.
typedef int64_t (*faults_decide)(void *context, const struct faults_event *event);

/// Told of every call that was let through and succeeded, with its result.
typedef void (*faults_note)(void *context, const struct faults_event *event, int64_t result);

/// From now on asks and tells about each call of this thread that changes files, until `faults_end`. What the two
/// functions themselves call is let through. Waiting for the disk is not really done meanwhile.
void faults_begin(faults_decide decide, faults_note note, void *context);

/// Lets the calls of this thread through again.
void faults_end(void);

#endif
