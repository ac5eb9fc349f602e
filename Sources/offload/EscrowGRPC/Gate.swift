internal import Dispatch
internal import NIOCore
internal import NIOSSL

/// Behind TLS on each connection: nothing passes before the device is known to be enrolled, and not revoked.
///
/// The registry is asked when the first bytes come, which is after the handshake, and then each minute.
final class Gate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never

    private enum State {
        case silent
        /// The registry is asked; nothing is read meanwhile.
        case asking
        case open
        /// It is not known, and is told so; so many bytes of it are taken in until then.
        case refused(Int)
        case over
    }

    /// How long a handshake may take, and the answer of the registry.
    private static let patience = TimeAmount.seconds(10)
    /// How long, and how much, a device that is not known is heard, so that it learns why.
    private static let farewell = TimeAmount.seconds(5)
    private static let lastBytes = 1 << 16
    /// HTTP/2 asks every ten seconds whether the other side is there: who says nothing for so long is gone.
    private static let watch = TimeAmount.seconds(60)
    /// One question after the other: a registry answers no two at once.
    private static let questions = DispatchQueue(label: "devices")

    private let crowd: Crowd
    private let knows: OffloadServerTransport.Known
    private var state = State.silent
    private var place: UInt64?
    private var device: String?
    private var isCounted = false
    private var timer: Scheduled<Void>?
    private var question: DispatchWorkItem?
    private var held: [ByteBuffer] = []
    private var isReadWanted = false
    private var isHeard = false

    init(_ crowd: Crowd, knows: @escaping OffloadServerTransport.Known) {
        self.crowd = crowd
        self.knows = knows
    }

    func channelActive(context: ChannelHandlerContext) {
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        place = crowd.enter(context.remoteAddress?.ipAddress ?? "") {
            loop.execute { this.value.0.shut(this.value.1) }
        }
        shut(context, in: Self.patience)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isHeard = true
        switch state {
        case .silent:
            held = [unwrapInboundIn(data)]
            state = .asking
            leaveSilence()
            guard let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate(),
                let bytes = try? certificate.toDERBytes()
            else { return shut(context) }
            device = OffloadServerTransport.fingerprint(of: bytes)
            ask(context)
        case .asking: held.append(unwrapInboundIn(data))
        case .open: context.fireChannelRead(data)
        case .refused(let left):
            let left = left - unwrapInboundIn(data).readableBytes
            guard left >= 0 else { return shut(context) }
            state = .refused(left)
            context.fireChannelRead(data)
        case .over: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .asking = state { return }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if case .asking = state { isReadWanted = true } else { context.read() }
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard let device else { return }
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let knows = knows
        let question = DispatchWorkItem {
            let isKnown = knows(device)
            loop.execute { this.value.0.answer(this.value.1, isKnown) }
        }
        self.question = question
        Self.questions.async(execute: question)
    }

    /// - Parameter isKnown: nil where the registry cannot be asked: then nobody new comes in, and nobody is sent away.
    private func answer(_ context: ChannelHandlerContext, _ isKnown: Bool?) {
        question = nil
        switch state {
        case .asking: enter(context, isKnown == true)
        case .open where isKnown == false: shut(context)
        default: break
        }
    }

    private func enter(_ context: ChannelHandlerContext, _ isKnown: Bool) {
        if isKnown, let device {
            guard crowd.take(device: device) else { return shut(context) }
            isCounted = true
            state = .open
            lookAgain(context)
        } else {
            state = .refused(Self.lastBytes)
            shut(context, in: Self.farewell)
        }
        for bytes in held { context.fireChannelRead(wrapInboundOut(bytes)) }
        held = []
        context.fireChannelReadComplete()
        if isReadWanted { context.read() }
        isReadWanted = false
    }

    private func lookAgain(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.watch) {
            guard self.isHeard else { return self.shut(context) }
            self.isHeard = false
            self.ask(context)
            self.lookAgain(context)
        }
    }

    private func shut(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.shut(context) }
    }

    /// Closes the connection at once, past TLS, which would wait for a farewell.
    private func shut(_ context: ChannelHandlerContext) {
        leave()
        guard let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        else { return context.close(promise: nil) }
        tls.close(promise: nil)
    }

    private func leaveSilence() {
        if let place { crowd.leave(place) }
        place = nil
    }

    private func leave() {
        leaveSilence()
        if isCounted, let device { crowd.leave(device: device) }
        isCounted = false
        state = .over
        held = []
        timer?.cancel()
        timer = nil
        question?.cancel()
        question = nil
    }
}
