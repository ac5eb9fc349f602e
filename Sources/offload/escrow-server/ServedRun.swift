import Dispatch
import EscrowOffloadWire
import EscrowSandbox
import EscrowServerService
import GRPCCore
import NIOCore
import Tracing

/// One run: what the device sends goes to the plugin, what the plugin writes goes to the device. Neither is looked at.
///
/// Its tasks are on the loop of the device's connection, and what waits is on a thread of the run's own: the look into the registry,
/// the plugin's start, and then its output. A message from the device goes into the plugin's pipe without another thread.
struct ServedRun: Sendable {
    private struct Started {
        let process: SandboxedProcess
        let begun: FromServer.Begun
        let place: RunService.Place
        let span: any Span
    }

    private let service: RunService
    private let request: StreamingServerRequest<[UInt8]>
    private let writer: RPCWriter<[UInt8]>
    private let device: String?
    private let loop: any EventLoop
    private let thread = DispatchQueue(label: "run")
    private let meter = Meter()
    private let outbox: Outbox

    /// - Parameter device: SHA-256 of the certificate that it showed; nil where it showed none.
    init(
        _ service: RunService, of device: String?, on loop: any EventLoop,
        _ request: StreamingServerRequest<[UInt8]>, _ writer: RPCWriter<[UInt8]>
    ) {
        self.device = device
        self.service = service
        self.request = request
        self.writer = writer
        self.loop = loop
        outbox = Outbox(on: loop)
    }

    /// Runs to the end; refusals are thrown only while nothing runs.
    func serve() async throws(RemoteRefusal) {
        var messages = request.messages.makeAsyncIterator()
        guard let first = try? await messages.next() else { throw .protocolBroken }
        let (process, begun) = try await start(try? FromDevice(first)).get()
        do {
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await writer.write(FromServer.begun(begun).encoded)
                        while let messages = await outbox.next() {
                            for message in messages { try await writer.write(message) }
                            outbox.wrote(messages.count)
                        }
                    }
                    do { try await take(&messages, process) } catch {
                        // Else the group would wait for a plugin that nobody listens to.
                        process.kill(reason: .cancelled)
                        throw error
                    }
                    try await group.waitForAll()
                }
            } onCancel: {
                process.kill(reason: .cancelled)
            }
        } catch {
            // The device is gone, or breaks the rules: its plugin goes, too. It may leave as soon as it was told of the end.
            if !meter.hasEnded { meter.leave() }
            process.kill(reason: .cancelled)
        }
        outbox.close()
        // The run's thread is the last to know of it.
        await withCheckedContinuation { continuation in
            thread.async { loop.execute { continuation.resume() } }
        }
    }

    /// Starts the plugin on the run's thread, which then reads what it writes.
    private func start(
        _ first: FromDevice?
    ) async -> Result<(SandboxedProcess, FromServer.Begun), RemoteRefusal> {
        await withCheckedContinuation { continuation in
            thread.async {
                let started = Result { () throws(RemoteRefusal) in try begin(first) }
                // On the loop, so that the task goes on there and wakes nobody else.
                loop.execute { continuation.resume(returning: started.map { ($0.process, $0.begun) }) }
                guard case .success(let started) = started, case .begin(let begin) = first else { return }
                let output = passOn(started.process)
                end(started, begin, output)
                outbox.close()
            }
        }
    }

    private func begin(_ first: FromDevice?) throws(RemoteRefusal) -> Started {
        guard let device, service.knows(device) else { throw .unknownDevice }
        guard case .begin(let begin) = first else { throw .protocolBroken }
        let span = startSpan("run", ofKind: .server)
        let launch = startSpan("launch", context: span.context)
        defer { launch.end() }
        do {
            let (process, begun, place) = try service.begin(begin, device: device)
            // By now it is one that is registered here, and no text of the device's.
            span.attributes["plugin"] = SpanAttribute.string(begin.plugin)
            return Started(process: process, begun: begun, place: place, span: span)
        } catch {
            launch.attributes["refused"] = SpanAttribute.string("\(error)")
            launch.recordError(error)
            span.recordError(error)
            span.end()
            throw error
        }
    }

    /// Takes what the device sends, until it waits for the end or was told of it.
    private func take(
        _ messages: inout RPCAsyncSequence<[UInt8], any Error>.AsyncIterator, _ process: SandboxedProcess
    ) async throws {
        while let message = try await messages.next() {
            switch try FromDevice(message) {
            case .begin: throw RemoteRefusal.protocolBroken
            case .input(let bytes):
                await meter.write(bytes, to: process)
            case .closeInput: process.closeInput()
            case .kill(let reason): process.kill(reason: KillReason(reason))
            case .finish:
                // The plugin reads the end of its input from here on, and so its output ends.
                process.closeInput()
                meter.finish(process)
                return
            }
        }
        guard meter.hasEnded else { throw RemoteRefusal.protocolBroken }
    }

    /// Passes on what the plugin writes, to its end; how many bytes that were.
    private func passOn(_ process: SandboxedProcess) -> Int {
        var count = 0
        while let bytes = try? process.read(max: 1 << 18), !bytes.isEmpty {
            count += bytes.count
            let output = FromServer.output(bytes, consumed: meter.consumed(by: process))
            guard outbox.put(output.encoded) else { break }
        }
        meter.endOutput()
        return count
    }

    /// Waits for the plugin's end and tells it at once, and not when it is asked for: the device waits once less for the network.
    private func end(_ started: Started, _ begin: Begin, _ output: Int) {
        let (process, span) = (started.process, started.span)
        defer { span.end() }
        // A plugin that ends has both ends in one breath, and the second says the first as well.
        if !process.hasEnded(within: Self.breath) {
            _ = outbox.put(FromServer.output([], consumed: meter.consumed(by: process)).encoded)
        }
        let outcome = process.finish(graceSeconds: meter.isLeft ? 0 : 1)
        service.metrics.ended(
            outcome.kind, seconds: outcome.usage.wallSeconds, cpuSeconds: outcome.usage.cpuSeconds,
            input: meter.taken, output: output)
        span.attributes["outcome"] = SpanAttribute.string(outcome.kind)
        span.attributes["cpuMicroseconds"] = SpanAttribute.int64(Int64(outcome.usage.cpuSeconds * 1e6))
        started.place.leave()
        let words = meter.isLeft ? "the device left; " : ""
        Log.say(begin, "\(words)\(outcome.kind)")
        if meter.isLeft { return span.recordError(RemoteRefusal.protocolBroken) }
        meter.end()
        _ = outbox.put(FromServer.ended(Ended(outcome)).encoded)
    }

    /// How long the end of a plugin is waited for before the device is told that its output ended, in seconds.
    private static let breath = 0.02
}

extension KillReason {
    fileprivate init(_ reason: RemoteKill) {
        self =
            switch reason {
            case .protocolError: .protocolError
            case .cancelled: .cancelled
            case .lingered: .lingered
            case .budget, .limit: .budget
            case .hostError: .hostError
            }
    }
}
