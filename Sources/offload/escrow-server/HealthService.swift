import EscrowGRPC
import EscrowServerService
import GRPCCore

/// The standard `grpc.health.v1.Health`, which balancers ask with a certificate of their own: this server serves whenever it answers.
struct HealthService: RegistrableRPCService {
    private let service: RunService

    init(_ service: RunService) { self.service = service }

    /// `HealthCheckResponse{status: SERVING}`
    private static let serving: [UInt8] = [0x08, 0x01]

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: OffloadMethods.healthCheck, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, context in
            let serving = try await Enrolled.answer(context, service) { Self.serving }
            return StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(serving)
                return [:]
            }
        }
        router.registerHandler(
            forMethod: OffloadMethods.healthWatch, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, context in
            let serving = try await Enrolled.answer(context, service) { Self.serving }
            return StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(serving)
                // Until the other side, or this server, goes.
                try await context.cancellation.cancelled
                return [:]
            }
        }
    }
}
