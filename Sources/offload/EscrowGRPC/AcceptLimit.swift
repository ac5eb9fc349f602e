internal import Glibc
public import NIOCore

/// In front of a listener: takes so many connections and no more, so that descriptors are left for all else.
public final class AcceptLimit: ChannelDuplexHandler {
    public typealias InboundIn = any Channel
    public typealias OutboundIn = Never

    private let most: Int
    private let mostOfAddress: Int
    private let closesOldest: Bool
    /// The oldest first; none where no oldest is closed.
    private var connections: [any Channel] = []
    private var count = 0
    private var ofAddress: [String: Int] = [:]
    private var isResting = false
    private var isReadWanted = false

    /// Turns away what comes beyond them: a connection may be long in use.
    public init(most: Int, ofAddress mostOfAddress: Int) {
        self.most = most
        self.mostOfAddress = mostOfAddress
        closesOldest = false
    }

    /// Closes the oldest for the newest: whoever asks at once has its answer long before it is the oldest.
    public init(newest most: Int) {
        self.most = most
        mostOfAddress = most
        closesOldest = true
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        let address = connection.remoteAddress?.ipAddress ?? ""
        if count >= most || ofAddress[address, default: 0] >= mostOfAddress {
            guard closesOldest, !connections.isEmpty else { return connection.close(promise: nil) }
            connections.removeFirst().close(promise: nil)
        }
        if closesOldest { connections.append(connection) }
        count += 1
        ofAddress[address, default: 0] += 1
        connection.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.leave(address)
            self.connections.removeAll { $0 === connection }
        }
        context.fireChannelRead(data)
    }

    private func leave(_ address: String) {
        count -= 1
        let left = ofAddress[address, default: 1] - 1
        ofAddress[address] = left == 0 ? nil : left
    }

    /// Without a descriptor the listener would be ready for ever, and its loop would turn for nothing; and whoever hears of the error
    /// would stop to serve.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError,
            [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED].contains(error.errnoCode)
        else { return context.fireErrorCaught(error) }
        guard !isResting else { return }
        isResting = true
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
            self.isResting = false
            if self.isReadWanted { context.read() }
            self.isReadWanted = false
        }
    }

    public func read(context: ChannelHandlerContext) {
        if isResting { isReadWanted = true } else { context.read() }
    }
}
