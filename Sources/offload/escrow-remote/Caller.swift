import Dispatch
import EscrowGRPC
import EscrowOffloadWire
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc

/// Passes frames of the host on to the server, and the server's back.
struct Caller: Sendable {
    let socket: FrameSocket
    let target: RemoteTarget
    private let reading = DispatchQueue(label: "frames in")
    private let writing = DispatchQueue(label: "frames out")

    init(socket: FrameSocket, target: RemoteTarget) {
        self.socket = socket
        self.target = target
    }

    /// Calls, one after the other, until the host closes its side; the exit status.
    func serve() async -> Int32 {
        let device = DeviceTransport()
        guard
            let transport = try? device.make(
                host: target.host, port: target.port, authority: target.authority, pin: target.pin,
                certificate: target.certificate, key: target.key)
        else {
            await send(.ended(.wrongAuthority))
            return 1
        }
        let client = GRPCClient(transport: transport)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await client.runConnections() }
            defer { group.cancelAll() }
            while let frame = await next() {
                switch frame {
                case .run: await call(OffloadMethods.run, client, device)
                case .describe: await call(OffloadMethods.describe, client, device)
                // Of a call that ended before it was read.
                case .message, .close: continue
                case .connect, .ended: return 2
                }
            }
            return 0
        }
    }

    private func call(
        _ method: MethodDescriptor, _ client: GRPCClient<HTTP2ClientTransport.Posix>,
        _ device: DeviceTransport
    ) async {
        guard await DeviceTransport.isReached(host: target.host, port: target.port) else {
            return await send(.ended(.unreachable))
        }
        device.refusal.whenSet { name in
            Task { await send(.ended(Self.refused(name))) }
        }
        var options = CallOptions.defaults
        options.waitForReady = false
        options.maxResponseMessageBytes = FromServer.mostBytes
        options.executionPolicy = nil
        let request = StreamingClientRequest<[UInt8]> { writer in
            while let frame = await next() {
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
                var isBegun = false
                do {
                    for try await message in response.messages {
                        isBegun = true
                        await send(.message(message))
                    }
                    await send(.ended(.complete))
                } catch {
                    await send(.ended(Self.end(error, isBegun, device)))
                }
            }
        } catch {
            // The host has been told.
        }
    }

    /// Why a call failed. TLS 1.3 tells a device that it was refused only after the handshake, by an alert.
    private static func end(_ error: any Error, _ isBegun: Bool, _ device: DeviceTransport) -> RemoteEnd {
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

    private static func refused(_ name: String) -> RemoteEnd {
        switch name {
        case "expired": .expired
        case "wrongServer": .wrongServer
        default: .wrongAuthority
        }
    }

    /// The host's next frame; nil at its end.
    private func next() async -> RemoteFrame? {
        await withCheckedContinuation { continuation in
            reading.async { continuation.resume(returning: try? socket.receive()) }
        }
    }

    private func send(_ frame: RemoteFrame) async {
        await withCheckedContinuation { continuation in
            writing.async {
                // Where the host is gone the watch ends this process.
                try? socket.send(frame)
                continuation.resume()
            }
        }
    }
}
