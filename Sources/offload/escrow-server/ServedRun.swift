import Dispatch
import EscrowOffloadWire
import EscrowSandbox
import EscrowServerService
import GRPCCore

/// One run: what the device sends goes to the plugin, what the plugin writes goes to the device. Neither is looked at.
struct ServedRun: Sendable {
    private let service: RunService
    private let request: StreamingServerRequest<[UInt8]>
    private let writer: RPCWriter<[UInt8]>

    init(_ service: RunService, _ request: StreamingServerRequest<[UInt8]>, _ writer: RPCWriter<[UInt8]>) {
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
        let (process, begun, place) = try service.begin(begin)
        defer { withExtendedLifetime(place) {} }
        let meter = Meter()
        do {
            try await withTaskCancellationHandler {
                try await writer.write(FromServer.begun(begun).encoded)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await passOn(process, meter) }
                    try await take(&messages, process, meter)
                    try await group.waitForAll()
                }
                let outcome = await meter.outcomes.run { process.finish(graceSeconds: 1) }
                try await writer.write(FromServer.ended(Ended(outcome)).encoded)
                Log.say("run \(begin.run): \(begin.plugin): \(outcome.kind)")
            } onCancel: {
                process.kill(reason: .cancelled)
            }
        } catch {
            // The device is gone, or breaks the rules: its plugin goes, too.
            process.kill(reason: .cancelled)
            let outcome = await meter.outcomes.run { process.finish(graceSeconds: 0) }
            Log.say("run \(begin.run): \(begin.plugin): the device left; \(outcome.kind)")
        }
    }

    /// Takes what the device sends until it waits for the end.
    private func take(
        _ messages: inout RPCAsyncSequence<[UInt8], any Error>.AsyncIterator, _ process: SandboxedProcess,
        _ meter: Meter
    ) async throws {
        while let message = try await messages.next() {
            switch try FromDevice(message) {
            case .begin: throw RemoteRefusal.protocolBroken
            case .input(let bytes):
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
        throw RemoteRefusal.protocolBroken
    }

    /// Passes on what the plugin writes, to its end.
    private func passOn(_ process: SandboxedProcess, _ meter: Meter) async throws {
        while true {
            let output = await meter.outputs.run {
                let bytes = (try? process.read(max: 1 << 18)) ?? []
                return FromServer.output(bytes, consumed: meter.consumed(by: process))
            }
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
