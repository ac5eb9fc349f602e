import EscrowDiagnostics
import EscrowFiles
import EscrowOffloadWire
import Synchronization

/// `escrow-remote`, our socket to it, and what came over it.
///
/// A thread takes what comes, so that a plugin's end is seen also by whoever waits to write. What waits is bounded: behind it the
/// server, and then the plugin, wait.
final class RemoteConnection: Sendable {
    static let program = "escrow-remote"
    private static let mostWaiting = 4 << 20

    enum Received: Equatable {
        case frame(RemoteFrame)
        case closed
        case late
    }

    private struct Inbox {
        var frames: [RemoteFrame] = []
        var bytes = 0
        var isClosed = false
    }

    private let process: HelperProcess
    private let socket: FrameSocket
    private let inbox = Guarded(Inbox())
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
        let (socket, inbox) = (socket, inbox)
        guard
            SystemThread.start(
                name: "escrow-remote",
                {
                    Self.receive(socket, into: inbox)
                    // Kept to here: its descriptor is this process's.
                    withExtendedLifetime(process) {}
                })
        else {
            throw Diagnostic(.remoteProgramUnfit, "this machine has no thread left for a server's answers")
        }
        try? self.socket.send(.connect(JSONBytes.of(target)))
    }

    deinit { end() }

    /// Ends the process: the server sees the connection break, and ends what it runs.
    func end() {
        socket.shutDown()
        inbox.change { $0.isClosed = true }
        process.end()
    }

    func send(_ frame: RemoteFrame, unless isOver: () -> Bool = { false }) throws(FrameSocket.Fault) {
        let result = sending.withLock { _ in
            Result { () throws(FrameSocket.Fault) in try socket.send(frame, unless: isOver) }
        }
        try result.get()
    }

    /// Sends, unless another thread is at it; false then, or where the process is gone.
    func sendAtOnce(_ frame: RemoteFrame) -> Bool {
        sending.withLockIfAvailable { _ in (try? socket.send(frame, unless: { true })) != nil } ?? false
    }

    /// The next frame, waiting for it until a time of the monotonic clock.
    func next(until deadline: UInt64) -> Received {
        inbox.wait(until: deadline) { inbox -> Received? in
            if !inbox.frames.isEmpty {
                let frame = inbox.frames.removeFirst()
                inbox.bytes -= frame.size
                return .frame(frame)
            }
            return inbox.isClosed ? .closed : nil
        } ?? .late
    }

    private static func receive(_ socket: FrameSocket, into inbox: Guarded<Inbox>) {
        while let frame = try? socket.receive() {
            let goesOn = inbox.wait(until: .max) { inbox -> Bool? in
                if inbox.isClosed { return false }
                guard inbox.bytes == 0 || inbox.bytes + frame.size <= mostWaiting else { return nil }
                inbox.frames.append(frame)
                inbox.bytes += frame.size
                return true
            }
            guard goesOn == true else { return }
        }
        inbox.change { $0.isClosed = true }
    }
}

extension RemoteFrame {
    fileprivate var size: Int { if case .message(let bytes) = self { bytes.count + 64 } else { 64 } }
}
