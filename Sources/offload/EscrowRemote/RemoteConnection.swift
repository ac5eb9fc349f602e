import EscrowDiagnostics
import EscrowFiles
import EscrowOffloadWire
import Glibc
import Synchronization

/// `escrow-remote`, our socket to it, and what came over it.
///
/// Whoever waits for a frame reads the socket itself, and whoever waits to write takes what comes meanwhile: else this side and
/// `escrow-remote` could each wait for the other to read. What is taken so is bounded: behind it the server, and then the plugin, wait.
final class RemoteConnection: Sendable {
    static let program = "escrow-remote"
    private static let mostWaiting = 4 << 20

    enum Received: Equatable {
        case frame(RemoteFrame)
        case closed
        case late
    }

    private struct Inbox {
        var reader: FrameReader
        var isClosed = false
    }

    private let process: HelperProcess
    private let socket: FrameSocket
    private let inbox: Mutex<Inbox>
    private let sending = Mutex(())

    /// Starts the program and tells it whom to reach; nothing is sent to the network yet.
    init(_ target: RemoteTarget) throws(Diagnostic) {
        guard let path = HelperProcess.path(of: Self.program), let process = HelperProcess(path: path) else {
            throw Diagnostic(
                .remoteProgramUnfit,
                "\(Self.program) is not beside escrow, or does not start: no server can be reached",
                help: "install escrow again with it: make offload")
        }
        self.process = process
        socket = FrameSocket(process.socket)
        inbox = Mutex(Inbox(reader: FrameReader(socket)))
        try? socket.send(.connect(JSONBytes.of(target)))
    }

    deinit { end() }

    /// Ends the process: the server sees the connection break, and ends what it runs.
    func end() {
        socket.shutDown()
        process.end()
    }

    func send(_ frame: RemoteFrame, unless isOver: () -> Bool = { false }) throws(FrameSocket.Fault) {
        let result = sending.withLock { _ in
            Result { () throws(FrameSocket.Fault) in
                try socket.send(frame, unless: isOver, waiting: takeIn)
            }
        }
        try result.get()
    }

    /// Sends small frames by one call, so that whoever reads them wakes once.
    func send(together frames: [RemoteFrame]) throws(FrameSocket.Fault) {
        let result = sending.withLock { _ in
            Result { () throws(FrameSocket.Fault) in try socket.send(together: frames) }
        }
        try result.get()
    }

    /// Sends, unless another thread is at it; false then, or where the process is gone.
    func sendAtOnce(_ frame: RemoteFrame) -> Bool {
        sending.withLockIfAvailable { _ in (try? socket.send(frame, unless: { true })) != nil } ?? false
    }

    /// The next frame, waiting for it until a time of the monotonic clock. One thread at a time may wait here.
    func next(until deadline: UInt64) -> Received {
        inbox.withLock { inbox in
            while true {
                do {
                    if let frame = try inbox.reader.next() { return .frame(frame) }
                } catch {
                    // What came is no frame: nothing after it can be told apart.
                    inbox.isClosed = true
                }
                if inbox.isClosed { return .closed }
                switch inbox.reader.read() {
                case .some: continue
                case .end: inbox.isClosed = true
                case .nothing:
                    guard let left = Self.milliseconds(until: deadline) else { return .late }
                    var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&entry, 1, left)
                }
            }
        }
    }

    /// How long to wait, at least a millisecond; nil once the time has come.
    private static func milliseconds(until deadline: UInt64) -> Int32? {
        let now = monotonicNanoseconds()
        guard deadline > now else { return nil }
        return Int32(clamping: (deadline - now) / 1_000_000 + 1)
    }

    /// Takes what is there, unless another thread is at it or much waits already; whether there may be more to take.
    private func takeIn() -> Bool {
        inbox.withLockIfAvailable { inbox in
            while !inbox.isClosed, inbox.reader.waiting < Self.mostWaiting {
                switch inbox.reader.read() {
                case .some: continue
                case .nothing: return true
                case .end: inbox.isClosed = true
                }
            }
            return false
        } ?? false
    }
}
