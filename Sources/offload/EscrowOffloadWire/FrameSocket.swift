import Glibc

/// Frames over a stream socket. One thread may send while another receives.
public struct FrameSocket: Sendable {
    public let descriptor: Int32

    /// Why nothing more comes or goes.
    public enum Fault: Error, Sendable, Equatable {
        /// The other side is gone.
        case closed
        /// The caller gave up while it waited.
        case stopped
        /// What came is no frame.
        case broken
    }

    /// How often a waiting thread asks whether to go on, in milliseconds.
    private static let lookAgain: Int32 = 100

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a frame whole, waiting while the other side does not read.
    public func send(_ frame: RemoteFrame, unless isOver: () -> Bool = { false }) throws(Fault) {
        let bytes = frame.encoded
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.send(
                    descriptor, raw.baseAddress! + sent, raw.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                wait(POLLOUT)
                if isOver() { throw .stopped }
            } else if errno != EINTR {
                throw .closed
            }
        }
    }

    /// The next frame, waiting for it; nil where the other side closed in order.
    public func receive() throws(Fault) -> RemoteFrame? {
        let header = try read(RemoteFrame.headerBytes)
        guard !header.isEmpty else { return nil }
        do {
            let count = try RemoteFrame.length(header)
            let body = count == 0 ? [] : try read(count)
            guard body.count == count else { throw Fault.closed }
            return try RemoteFrame(kind: header[0], body: body)
        } catch let fault as Fault { throw fault } catch { throw .broken }
    }

    /// Whether a frame begins, or the end comes, within so many milliseconds.
    public func waits(for milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let found = poll(&entry, 1, milliseconds)
            if found >= 0 || errno != EINTR { return found != 0 }
        }
    }

    /// Ends both directions, and with them whatever waits.
    public func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// So many bytes; none where the other side closed before the first.
    private func read(_ count: Int) throws(Fault) -> [UInt8] {
        var fault: Fault?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = recv(descriptor, buffer.baseAddress! + filled, count - filled, 0)
                if read > 0 {
                    filled += read
                } else if read == 0 {
                    if filled > 0 { fault = .closed }
                    return
                } else if errno != EINTR {
                    fault = .closed
                    return
                }
            }
        }
        if let fault { throw fault }
        return bytes
    }

    private func wait(_ what: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(what), revents: 0)
        _ = poll(&entry, 1, Self.lookAgain)
    }
}
