import Glibc

/// Ends the process as soon as the host is gone, whatever it waits for: the server then ends the run.
enum HostWatch {
    /// POLLRDHUP, which glibc declares under _GNU_SOURCE only. poll(2)
    private static let hangUp: Int16 = 0x2000

    static func start(_ socket: Int32) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        pthread_create(
            &thread, &attributes,
            { descriptor in
                var entry = pollfd(
                    fd: Int32(Int(bitPattern: descriptor)) - 1, events: HostWatch.hangUp, revents: 0)
                while poll(&entry, 1, -1) < 0, errno == EINTR {}
                _exit(0)
            }, UnsafeMutableRawPointer(bitPattern: Int(socket) + 1))
    }
}
