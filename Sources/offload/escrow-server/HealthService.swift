import EscrowGRPC
import GRPCCore

/// The standard `grpc.health.v1.Health`, which balancers ask: this server serves whenever it answers.
struct HealthService: RegistrableRPCService {
    /// `HealthCheckResponse{status: SERVING}`
    private static let serving: [UInt8] = [0x08, 0x01]

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: OffloadMethods.healthCheck, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, _ in
            StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(Self.serving)
                return [:]
            }
        }
        router.registerHandler(
            forMethod: OffloadMethods.healthWatch, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, context in
            StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(Self.serving)
                // Until the other side, or this server, goes.
                try await context.cancellation.cancelled
                return [:]
            }
        }
    }
}
