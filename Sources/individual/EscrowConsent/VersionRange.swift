public import EscrowManifest

/// Versions of a plugin, from one on and below another.
public struct VersionRange: Sendable, Equatable {
    /// The lowest; nil for no lowest.
    public var from: SemanticVersion?
    /// The first that is not among them; nil for no end.
    public var below: SemanticVersion?

    /// Sets either, or both.
    public init(from: SemanticVersion? = nil, below: SemanticVersion? = nil) {
        self.from = from
        self.below = below
    }

    /// Whether a version is among them. Text that is no version is in none but the whole range.
    public func contains(_ text: String) -> Bool {
        if from == nil, below == nil { return true }
        guard let version = SemanticVersion(text) else { return false }
        if let from, version < from { return false }
        if let below, !(version < below) { return false }
        return true
    }

    /// For people: `from 1.2.0 and below 2.0.0`.
    public var words: String {
        switch (from, below) {
        case (nil, nil): "any version"
        case (let from?, nil): "from \(from)"
        case (nil, let below?): "below \(below)"
        case (let from?, let below?): "from \(from) and below \(below)"
        }
    }
}
