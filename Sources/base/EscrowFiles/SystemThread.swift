import Glibc

/// Threads of our own, for calls that wait: no runtime's executor is held up by them. pthreads(7)
public enum SystemThread {
    /// Starts one that nobody joins; false when the system has none left. It takes no signal: those are for who waits for them.
    public static func start(
        name: String, stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        final class Box {
            let name: String
            let body: @Sendable () -> Void
            init(_ name: String, _ body: @escaping @Sendable () -> Void) {
                self.name = name
                self.body = body
            }
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackBytes)
        // A thread inherits what is blocked, so there is no moment at which it could take one.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let box = Unmanaged.passRetained(Box(name, body))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                SystemThread.name(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        if error != 0 { box.release() }
        return error == 0
    }

    /// Names the calling thread, in at most 15 bytes. pthread_setname_np(3)
    public static func name(_ name: String) { _ = pthreadSetName(pthread_self(), name) }
}

/// glibc declares it under _GNU_SOURCE only.
@_silgen_name("pthread_setname_np")
private func pthreadSetName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32
