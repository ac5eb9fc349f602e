public import EscrowDiagnostics
public import EscrowLocationPrivacy

/// Where fixes come from when an app follows, which names no provider.
public struct LiveSource: Sendable {
    /// Opens a provider for places as exact as is wanted, and says its name.
    public let open: @Sendable (Exactness) throws(Diagnostic) -> (name: String, provider: any LiveProvider)

    /// Takes what opens one.
    public init(
        open: @escaping @Sendable (Exactness) throws(Diagnostic) -> (name: String, provider: any LiveProvider)
    ) {
        self.open = open
    }

    /// gpsd at a port of this machine where it answers, else GeoClue.
    public static func ofMachine(gpsdPort port: UInt16 = Gpsd.port) -> LiveSource {
        LiveSource { (desired) throws(Diagnostic) in
            if let gpsd = try? Gpsd(port: port) { return ("gpsd", gpsd) }
            return ("geoclue", try GeoClue(desired: desired))
        }
    }
}
