internal import NIOCore

/// On each stream: closes one to which nothing was answered for so long. Its device keeps half a message back, and memory with it.
final class AnswerDeadline: ChannelOutboundHandler {
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    /// A device waits for 15 seconds.
    private static let patience = TimeAmount.seconds(20)

    private var writes = 0
    private var timer: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        writes += 1
        // The first are the headers, which gRPC sends before it has a message.
        if writes == 2 { timer?.cancel() }
        context.write(data, promise: promise)
    }
}
