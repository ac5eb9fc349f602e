import EscrowGRPC
import EscrowOffloadWire
import EscrowServerService
import GRPCCore

/// `escrow.offload.v1.Offload` over gRPC; what is allowed is `RunService`'s to say.
struct OffloadService: RegistrableRPCService {
    private let service: RunService

    init(_ service: RunService) { self.service = service }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: OffloadMethods.describe, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { _, context in
            try admit(context)
            let description = service.description().encoded
            return StreamingServerResponse(metadata: [:]) { writer in
                try await writer.write(description)
                return [:]
            }
        }
        router.registerHandler(
            forMethod: OffloadMethods.run, deserializer: BytesCoder(), serializer: BytesCoder()
        ) { request, context in
            let device = OffloadServerTransport.fingerprint(of: context)
            let isKnown = service.knows(device)
            return StreamingServerResponse(metadata: [:]) { writer in
                do throws(RemoteRefusal) {
                    guard isKnown, let device else { throw .unknownDevice }
                    try await ServedRun(service, of: device, request, writer).serve()
                } catch {
                    try await writer.write(FromServer.refused(error).encoded)
                }
                return [:]
            }
        }
    }

    private func admit(_ context: ServerContext) throws {
        guard service.knows(OffloadServerTransport.fingerprint(of: context)) else {
            throw RPCError(code: .permissionDenied, message: "this device is not enrolled")
        }
    }
}
