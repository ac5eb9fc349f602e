import Dispatch
import EscrowOffloadWire
import EscrowSandbox
import EscrowServerService
import GRPCCore
import Tracing

/// One run: what the device sends goes to the plugin, what the plugin writes goes to the device. Neither is looked at.
struct ServedRun: Sendable {
    private let service: RunService
    private let request: StreamingServerRequest<[UInt8]>
    private let writer: RPCWriter<[UInt8]>

    private let device: String

    init(
        _ service: RunService, of device: String, _ request: StreamingServerRequest<[UInt8]>,
        _ writer: RPCWriter<[UInt8]>
    ) {
        self.device = device
        self.service = service
        self.request = request
        self.writer = writer
    }

    /// Runs to the end; refusals are thrown only while nothing runs.
    func serve() async throws(RemoteRefusal) {
        var messages = request.messages.makeAsyncIterator()
        guard let first = try? await messages.next(), case .begin(let begin)? = try? FromDevice(first) else {
            throw .protocolBroken
        }
        let span = startSpan("run", ofKind: .server)
        span.attributes["plugin"] = SpanAttribute.string(begin.plugin)
        defer { span.end() }
        let launch = startSpan("launch", context: span.context)
        let started = Result { () throws(RemoteRefusal) in try service.begin(begin, device: device) }
        if case .failure(let refusal) = started {
            launch.attributes["refused"] = SpanAttribute.string("\(refusal)")
            launch.recordError(refusal)
            span.recordError(refusal)
        }
        launch.end()
        let (process, begun, place) = try started.get()
        defer { place.leave() }
        let meter = Meter()
        do {
            try await withTaskCancellationHandler {
                try await writer.write(FromServer.begun(begun).encoded)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await passOn(process, meter)
                        // Told at once, and not when it is asked for: the device waits once less for the network.
                        let outcome = await meter.outcomes.run { process.finish(graceSeconds: 1) }
                        count(outcome, span)
                        place.leave()
                        meter.end()
                        Log.say("run \(begin.run): \(begin.plugin): \(outcome.kind)")
                        try await writer.write(FromServer.ended(Ended(outcome)).encoded)
                    }
                    do { try await take(&messages, process, meter) } catch {
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
            // The device is gone, or breaks the rules: its plugin goes, too.
            process.kill(reason: .cancelled)
            // It may leave as soon as it was told of the end.
            guard !meter.hasEnded else { return }
            let outcome = await meter.outcomes.run { process.finish(graceSeconds: 0) }
            count(outcome, span)
            span.recordError(RemoteRefusal.protocolBroken)
            Log.say("run \(begin.run): \(begin.plugin): the device left; \(outcome.kind)")
        }
    }

    private func count(_ outcome: Outcome, _ span: any Span) {
        service.metrics.ended(
            outcome.kind, seconds: outcome.usage.wallSeconds, cpuSeconds: outcome.usage.cpuSeconds)
        span.attributes["outcome"] = SpanAttribute.string(outcome.kind)
        span.attributes["cpuMicroseconds"] = SpanAttribute.int64(Int64(outcome.usage.cpuSeconds * 1e6))
    }

    /// Takes what the device sends, until it waits for the end or was told of it.
    private func take(
        _ messages: inout RPCAsyncSequence<[UInt8], any Error>.AsyncIterator, _ process: SandboxedProcess,
        _ meter: Meter
    ) async throws {
        while let message = try await messages.next() {
            switch try FromDevice(message) {
            case .begin: throw RemoteRefusal.protocolBroken
            case .input(let bytes):
                service.metrics.took(input: bytes.count)
                await meter.inputs.run { meter.write(bytes, to: process) }
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

    /// Passes on what the plugin writes, to its end.
    private func passOn(_ process: SandboxedProcess, _ meter: Meter) async throws {
        while true {
            let output = await meter.outputs.run {
                let bytes = (try? process.read(max: 1 << 18)) ?? []
                return FromServer.output(bytes, consumed: meter.consumed(by: process))
            }
            if case .output(let bytes, _) = output { service.metrics.gave(output: bytes.count) }
            try await writer.write(output.encoded)
            if case .output([], _) = output { return }
        }
    }
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
