import Dispatch
import EscrowGRPC
import EscrowServerService
import GRPCCore

/// Calls that only a device that is enrolled may make.
enum Enrolled {
    /// An answer for such a device. The registry is asked on a thread: it may be a database far away.
    static func answer(
        _ context: ServerContext, _ service: RunService, _ make: @escaping @Sendable () -> [UInt8]
    ) async throws -> [UInt8] {
        let device = OffloadServerTransport.fingerprint(of: context)
        let answer = await withCheckedContinuation { continuation in
            DispatchQueue(label: "answer").async {
                continuation.resume(returning: service.knows(device) ? make() : nil)
            }
        }
        guard let answer else {
            throw RPCError(code: .permissionDenied, message: "this device is not enrolled")
        }
        return answer
    }
}
