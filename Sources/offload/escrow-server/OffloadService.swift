import EscrowGRPC
import EscrowOffloadWire
import EscrowServerService
import GRPCCore

/// `escrow.offload.v1.Offload` over gRPC; what is allowed is `RunService`'s to say.
struct OffloadService: RegistrableRPCService {
    private let service: RunService
    private let executor: LoopExecutor

    /// - Parameter executor: where the service's tasks run.
    init(_ service: RunService, on executor: LoopExecutor) {
        self.service = service
        self.executor = executor
    }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: OffloadMethods.describe, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, context in
            let description = try await Enrolled.answer(context, service) { service.description().encoded }
            return StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(description)
                return [:]
            }
        }
        router.registerHandler(
            forMethod: OffloadMethods.run, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { request, context in
            let device = OffloadServerTransport.fingerprint(of: context)
            let loop = executor.loop
            return StreamingServerResponse(metadata: [:]) { writer in
                do throws(RemoteRefusal) {
                    try await ServedRun(service, of: device, on: loop, request, writer).serve()
                } catch {
                    try await writer.write(FromServer.refused(error).encoded)
                }
                return [:]
            }
        }
    }
}
