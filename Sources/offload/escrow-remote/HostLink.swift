import EscrowOffloadWire
import NIOCore
import NIOPosix
import Synchronization

/// The host's socket, read and written by the loop that also has the server's: a frame passes through without another thread.
///
/// What was read and nobody took yet is bounded: behind it the host waits.
final class HostLink: Sendable {
    private static let mostWaiting = 1 << 20

    private struct State {
        var frames: [RemoteFrame] = []
        var bytes = 0
        var isOver = false
        /// Nothing more is read until somebody takes what waits.
        var isPaused = false
        var taker: CheckedContinuation<RemoteFrame?, Never>?
    }

    private let state = Mutex(State())
    private let channel: any Channel

    private init(_ channel: any Channel) { self.channel = channel }

    /// Takes over a connected socket.
    static func make(over descriptor: Int32, on loop: any EventLoop) async throws -> HostLink {
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 18))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(FrameDecoder()))
                }
            }
            .withConnectedSocket(descriptor).get()
        let link = HostLink(channel)
        try await loop.submit {
            try channel.pipeline.syncOperations.addHandler(Inbound(link))
            channel.read()
        }.get()
        return link
    }

    /// The next frame; nil at the host's end, where it sent what is no frame, or where none comes in time.
    func next(within time: TimeAmount? = nil) async -> RemoteFrame? {
        let timer = time.map { time in
            channel.eventLoop.scheduleTask(in: time) { [self] in finish() }
        }
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
            let (isReady, frame, goesOn) = state.withLock { state -> (Bool, RemoteFrame?, Bool) in
                guard !state.frames.isEmpty else {
                    if !state.isOver { state.taker = continuation }
                    return (state.isOver, nil, false)
                }
                let frame = state.frames.removeFirst()
                state.bytes -= frame.size
                let goesOn = state.isPaused && state.bytes < Self.mostWaiting
                if goesOn { state.isPaused = false }
                return (true, frame, goesOn)
            }
            if goesOn { channel.read() }
            if isReady { continuation.resume(returning: frame) }
        }
    }

    /// Sends a frame, waiting while the host does not read. Where it is gone the watch ends this process.
    func send(_ frame: RemoteFrame) async {
        let (header, body) = (frame.header, frame.body)
        var buffer = channel.allocator.buffer(capacity: header.count + body.count)
        buffer.writeBytes(header)
        buffer.writeBytes(body)
        try? await channel.writeAndFlush(buffer).get()
    }

    /// Whether more may be read now; else reading goes on when somebody has taken enough.
    private func mayReadOn() -> Bool {
        state.withLock { state in
            state.isPaused = state.bytes >= Self.mostWaiting
            return !state.isPaused && !state.isOver
        }
    }

    private func take(_ frame: RemoteFrame) {
        let taker = state.withLock { state -> CheckedContinuation<RemoteFrame?, Never>? in
            if state.isOver { return nil }
            if let taker = state.taker {
                state.taker = nil
                return taker
            }
            state.frames.append(frame)
            state.bytes += frame.size
            return nil
        }
        taker?.resume(returning: frame)
    }

    private func finish() {
        let taker = state.withLock { state in
            state.isOver = true
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume(returning: nil)
    }

    private final class Inbound: ChannelInboundHandler {
        typealias InboundIn = RemoteFrame

        private let link: HostLink

        init(_ link: HostLink) { self.link = link }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.take(unwrapInboundIn(data)) }

        func channelReadComplete(context: ChannelHandlerContext) { if link.mayReadOn() { context.read() } }

        func channelInactive(context: ChannelHandlerContext) { link.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { link.finish() }
    }
}

extension RemoteFrame {
    fileprivate var size: Int { if case .message(let bytes) = self { bytes.count + 64 } else { 64 } }
}
