import EscrowDiagnostics

/// Whether a plugin may run on a server of the individual's, and what a server must have for it. Without the member it may, on any:
/// the individual decides.
public struct ServerNeeds: Sendable, Hashable {
    /// Whether the publisher lets it run elsewhere than on the device.
    public let isAllowed: Bool
    /// Whether its code is on servers alone: a device decides by the signed manifest, and never has what it computes.
    public let isConfidential: Bool
    /// The fewest processors.
    public let processors: Int
    /// The least memory of the machine, in MiB.
    public let memoryMiB: Int

    /// Whether any server does.
    public var isAny: Bool { processors == 0 && memoryMiB == 0 }

    init(_ object: consuming ManifestReader?) throws(Diagnostic) {
        guard var reader = object else {
            (isAllowed, isConfidential, processors, memoryMiB) = (true, false, 0, 0)
            return
        }
        let allowed = try reader.optionalBool("allowed") ?? true
        let confidential = try reader.optionalBool("confidential") ?? false
        guard allowed || !confidential else {
            throw reader.failure(
                .membersContradict,
                "a confidential plugin runs on servers alone, and \"allowed\" forbids them",
                at: reader.position, help: "leave out one of the two")
        }
        (isAllowed, isConfidential) = (allowed, confidential)
        processors = Int(try reader.optionalInteger("processors", in: 1...1024) ?? 0)
        memoryMiB = Int(try reader.optionalInteger("memoryMiB", in: 1...1 << 20) ?? 0)
        try reader.finish()
    }
}
