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
    ///
    /// - Parameter waiting: called before each wait, so that what the other side wants to be rid of first can be taken; it says
    ///   whether what comes is to end the wait, too.
    public func send(
        _ frame: RemoteFrame, unless isOver: () -> Bool = { false }, waiting: () -> Bool = { false }
    ) throws(Fault) {
        let (header, body) = (frame.header, frame.body)
        var sent = 0
        while sent < header.count + body.count {
            let count = Self.send(descriptor, header, body, from: sent)
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                wait(waiting() ? POLLOUT | POLLIN : POLLOUT)
                if isOver() { throw .stopped }
            } else if errno != EINTR {
                throw .closed
            }
        }
    }

    /// Sends several frames at once, as far as there is room, then what is left of them one by one.
    public func send(together frames: [RemoteFrame]) throws(Fault) {
        let bytes = frames.flatMap(\.encoded)
        var sent = 0
        while sent < bytes.count {
            let count = Self.send(descriptor, bytes, [], from: sent)
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                wait(POLLOUT)
            } else if errno != EINTR {
                throw .closed
            }
        }
    }

    /// One call for both parts, without a copy of either. sendmsg(2)
    private static func send(_ descriptor: Int32, _ first: [UInt8], _ second: [UInt8], from sent: Int) -> Int
    {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                let done = min(sent, first.count)
                var parts = [
                    iovec(
                        iov_base: first.baseAddress.map { UnsafeMutableRawPointer(mutating: $0 + done) },
                        iov_len: first.count - done),
                    iovec(
                        iov_base: second.baseAddress.map {
                            UnsafeMutableRawPointer(mutating: $0 + (sent - done))
                        }, iov_len: second.count - (sent - done)),
                ]
                return parts.withUnsafeMutableBufferPointer { parts in
                    var message = msghdr()
                    message.msg_iov = parts.baseAddress
                    message.msg_iovlen = 2
                    return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
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
