/// How many connections a server takes. What is left of its descriptors is for the listener, its runs and the registry.
public struct ConnectionLimits: Sendable {
    /// Of all together.
    public let inAll: Int
    /// Of one address. Behind a balancer, or one router, there are many devices at one.
    public let ofAddress: Int
    /// Of one device: each of its programs has one.
    public let ofDevice = 64
    /// Without a handshake that is complete: each has buffers, and nobody vouches for any.
    public let silent: Int
    public let silentOfAddress: Int

    /// Each run has pipes, and waits for its process.
    private static let descriptorsOfRun = 24
    private static let descriptorsOfRest = 256

    /// - Parameters:
    ///   - descriptors: how many this process may have.
    ///   - runs: the most runs at once.
    public init(descriptors: Int, runs: Int) {
        let rest = descriptors - Self.descriptorsOfRest - runs * Self.descriptorsOfRun
        // What is kept for runs is ample, so a quarter is always for connections.
        inAll = min(max(rest, descriptors / 4, 32), 4096)
        ofAddress = inAll / 2
        silent = min(inAll / 2, 512)
        silentOfAddress = silent / 4
    }
}
