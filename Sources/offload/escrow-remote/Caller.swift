import EscrowGRPC
import EscrowOffloadWire
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc
import NIOCore
import Synchronization

/// Passes frames of the host on to the server, and the server's back: all on the one loop that reads both.
struct Caller: Sendable {
    let host: HostLink
    let target: RemoteTarget
    let loop: any EventLoop

    /// Calls, one after the other, until the host closes its side; the exit status.
    func serve() async -> Int32 {
        let device = DeviceTransport()
        guard
            let transport = try? device.make(
                host: target.host, port: target.port, authority: target.authority, pin: target.pin,
                certificate: target.certificate, key: target.key)
        else {
            await host.send(.ended(.wrongAuthority))
            return 1
        }
        let client = GRPCClient(transport: transport)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await client.runConnections() }
            defer { group.cancelAll() }
            var isFirst = true
            while let frame = await host.next(within: Self.idle) {
                switch frame {
                case .run: await call(OffloadMethods.run, client, device, isFirst)
                case .describe: await call(OffloadMethods.describe, client, device, isFirst)
                // Of a call that ended before it was read.
                case .message, .close: continue
                case .connect, .ended: return 2
                }
                isFirst = false
            }
            return 0
        }
    }

    private func call(
        _ method: MethodDescriptor, _ client: GRPCClient<HTTP2ClientTransport.Posix>,
        _ device: DeviceTransport, _ isFirst: Bool
    ) async {
        let progress = Progress()
        if isFirst {
            guard await isReached() else { return await end(.unreachable, progress) }
        }
        // Over a connection that was kept a whole run takes less than this.
        let lookout = loop.scheduleTask(in: .milliseconds(100)) {
            // Where nobody is any more the channel itself would try until the run's time is over.
            guard !progress.isBegun else { return }
            Task { if !(await isReached()) { await end(.unreachable, progress) } }
        }
        defer { lookout.cancel() }
        device.refusal.whenSet { name in
            Task { await end(Self.refused(name), progress) }
        }
        var options = CallOptions.defaults
        options.waitForReady = false
        options.maxResponseMessageBytes = FromServer.mostBytes
        options.executionPolicy = nil
        let request = StreamingClientRequest<[UInt8]> { writer in
            while let frame = await host.next() {
                guard case .message(let bytes) = frame else { return }
                try await writer.write(bytes)
            }
            exit(0)
        }
        do {
            try await client.bidirectionalStreaming(
                request: request, descriptor: method, serializer: BytesCoder(), deserializer: BytesCoder(),
                options: options
            ) { response in
                do {
                    for try await message in response.messages {
                        progress.begin()
                        await host.send(.message(message))
                    }
                    await end(.complete, progress)
                } catch {
                    await end(Self.why(error, progress.isBegun, device), progress)
                }
            }
        } catch {
            // A call that never began has told nobody. Where somebody is, the host waits as long as it does for one that is slow.
            if !progress.isBegun, !(await isReached()) { await end(.unreachable, progress) }
        }
    }

    /// Why a call failed. TLS 1.3 tells a device that it was refused only after the handshake, by an alert.
    private static func why(_ error: any Error, _ isBegun: Bool, _ device: DeviceTransport) -> RemoteEnd {
        if let name = device.refusal.name { return refused(name) }
        let error = error as? RPCError
        if error?.code == .resourceExhausted { return .protocolBroken }
        if isBegun { return .lost }
        switch error?.code {
        case .permissionDenied, .unauthenticated: return .deviceRefused
        case .unavailable, .deadlineExceeded, nil:
            return String(describing: error).contains("ALERT") ? .deviceRefused : .unreachable
        default: return .failed
        }
    }

    private func isReached() async -> Bool {
        await DeviceTransport.isReached(host: target.host, port: target.port)
    }

    /// How far one call is.
    private final class Progress: Sendable {
        private let state = Mutex((isBegun: false, isOver: false))

        var isBegun: Bool { state.withLock { $0.isBegun } }

        /// The server answered.
        func begin() { state.withLock { $0.isBegun = true } }

        /// Whether this is the first end that the call has.
        func end() -> Bool {
            state.withLock { state in
                defer { state.isOver = true }
                return !state.isOver
            }
        }
    }

    /// Tells the host how a call ended, once.
    private func end(_ end: RemoteEnd, _ progress: Progress) async {
        if progress.end() { await host.send(.ended(end)) }
    }

    private static func refused(_ name: String) -> RemoteEnd {
        switch name {
        case "expired": .expired
        case "wrongServer": .wrongServer
        default: .wrongAuthority
        }
    }

    /// How long a host that keeps this process may ask nothing.
    private static let idle = TimeAmount.seconds(60)
}
