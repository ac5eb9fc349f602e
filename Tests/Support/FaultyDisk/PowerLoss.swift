/// What a power cut takes of what was written and not waited for. All of these are within what a file system may do.
public enum PowerLoss: Sendable, CustomStringConvertible {
    /// Nothing: the program was killed, and the machine went on.
    case nothing
    /// All of it.
    case everything
    /// The bytes, not the names and lengths: new room in a file reads as zeros.
    case bytes
    /// The second half of the last write of each file.
    case halfTheLastWrite
    /// Some of it, anyhow: a seed chooses.
    case some(UInt64)

    public var description: String {
        switch self {
        case .nothing: "nothing is lost"
        case .everything: "all is lost that was not waited for"
        case .bytes: "names and lengths are kept, bytes are lost"
        case .halfTheLastWrite: "the last write is torn"
        case .some(let seed): "some is lost, seed \(seed)"
        }
    }

    /// One throw of a coin; the seed moves on.
    mutating func coin() -> Bool {
        guard case .some(let seed) = self else { return false }
        let next = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        self = .some(next)
        return next >> 62 & 1 == 1
    }
}
