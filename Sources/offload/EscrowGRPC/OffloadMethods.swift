public import GRPCCore

/// The service of `offload.proto`, and the standard one that says whether it is up.
public enum OffloadMethods {
    public static let run = method("escrow.offload.v1.Offload", "Run", .bidirectionalStreaming)
    public static let describe = method("escrow.offload.v1.Offload", "Describe", .unary)
    public static let healthCheck = method("grpc.health.v1.Health", "Check", .unary)
    public static let healthWatch = method("grpc.health.v1.Health", "Watch", .serverStreaming)

    private static func method(_ service: String, _ name: String, _ type: MethodDescriptor.RPCType)
        -> MethodDescriptor
    {
        MethodDescriptor(fullyQualifiedService: service, method: name, type: type)
    }
}
