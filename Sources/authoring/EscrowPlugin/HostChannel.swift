import Glibc

/// Two byte streams to a host: the process's own, or a mock's.
package protocol HostChannel: AnyObject {
    /// Reads at least one byte, at most as many as fit; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// Writes all bytes; false if the host is gone.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// stdin and stdout, without a buffer or a lock of the C library's.
package final class StandardStreams: HostChannel {
    package init() {}

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { return 0 }
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool { Self.write(bytes, to: STDOUT_FILENO) }

    /// Writes a line to the log.
    package static func complain(_ text: String) {
        var line = text + "\n"
        line.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                guard errno == EINTR else { return false }
            } else {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        return true
    }
}
