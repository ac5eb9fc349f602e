internal import Glibc

/// A lock with a condition to wait for: what `Mutex` of the standard library lacks, and what Foundation would bring.
///
/// `@unchecked`: the two pointers never change, and the functions of pthread are made to be called by any thread.
final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A clock that is set must not make a thread wait for hours.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }

    /// Wakes all who wait.
    func broadcast() { pthread_cond_broadcast(condition) }

    /// Wakes one who waits.
    func signal() { pthread_cond_signal(condition) }

    /// Gives the lock up until it is woken, perhaps for nothing; holds it again after.
    func wait() { pthread_cond_wait(condition, mutex) }

    /// The same, for some seconds at most; false when they are over.
    func wait(seconds: Int) -> Bool {
        var until = timespec()
        clock_gettime(CLOCK_MONOTONIC, &until)
        until.tv_sec += seconds
        return pthread_cond_timedwait(condition, mutex, &until) != ETIMEDOUT
    }
}
