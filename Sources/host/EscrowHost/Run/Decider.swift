public import EscrowConsent
import EscrowManifest

/// Who decides where no grant stands: the individual at a terminal, or nobody.
public protocol Decider: Sendable {
    /// Whether there is anybody to ask.
    var canAsk: Bool { get }
    /// Asks about a dataflow; called only where there is somebody to ask.
    func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply
    /// Shows exactly what would be handed over, and asks whether it may be.
    func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply
    /// Has the individual pick rows, by their places in the list; nil where they picked none, or nobody is there.
    func pick(_ question: PickQuestion) -> [Int]?
}

extension Decider {
    public func pick(_ question: PickQuestion) -> [Int]? { nil }
}

/// Nobody is there to be asked: no answer is never a yes.
public struct NobodyDecides: Decider {
    /// Makes it.
    public init() {}
    public var canAsk: Bool { false }
    public func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply { .none }
    public func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply { .none }
}

/// A result before it is handed over: the very bytes.
public struct ResultPreview: Sendable {
    /// What would be handed over, byte for byte.
    public let bytes: [UInt8]
    /// What kind of bytes they are.
    public let mediaType: String
    /// Whether the host knows what they mean: JSON, or text.
    public let isReadable: Bool

    init(_ result: NormalizedResult) {
        bytes = result.bytes
        mediaType = result.mediaType
        isReadable = result.json != nil
    }
}
