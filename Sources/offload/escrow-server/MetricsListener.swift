import EscrowGRPC
import EscrowServerService
import NIOCore
import NIOHTTP1
import NIOPosix

/// Answers `GET /metrics` in Prometheus' format, and `GET /healthz` for an orchestrator, over plain HTTP: there is nothing of
/// anybody's in either. At this machine's own address unless the owner says otherwise.
enum MetricsListener {
    /// More than who watches a server needs, and few beside the descriptors that it has. The oldest is closed for the newest.
    private static let most = 32
    private static let patience = TimeAmount.seconds(5)

    /// Begins to answer; the port that it listens at.
    static func start(_ service: RunService, address: String, port: Int) async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptLimit(newest: most))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(Answer(service))
                    // Whoever asks nothing, or does not read, is not waited for.
                    let timer = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in timer.cancel() }
                }
            }
            .bind(host: address, port: port).get()
        return channel.localAddress?.port ?? port
    }

    /// Answers the one request of a connection, and closes it.
    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let service: RunService

        init(_ service: RunService) { self.service = service }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            switch (head.method, head.uri) {
            case (.GET, "/metrics"): answer(context, .ok, service.metricsText)
            case (.GET, "/healthz"): answer(context, .ok, "serving\n")
            default: answer(context, .notFound, "there are /metrics and /healthz\n")
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ text: String) {
            var headers = HTTPHeaders()
            headers.add(name: "Content-Type", value: "text/plain; version=0.0.4; charset=utf-8")
            headers.add(name: "Content-Length", value: "\(text.utf8.count)")
            headers.add(name: "Connection", value: "close")
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(
                wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }
    }
}
